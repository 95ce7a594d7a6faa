package dev.kubeinformer.internal.reflector;

import org.jspecify.annotations.Nullable;

/**
 * Counts of failed, silent and empty watches, which raise doubts whether the watch works.
 * An event or a list resets them.
 *
 * @param failed whether a watch failed and nothing was received since
 * @param silentWatches the number of consecutive watches that were silent for too long
 * @param emptyWatches the number of consecutive watches that were cut before a byte
 * arrived, or had no response in time. If this number is too high, a probe follows, and
 * its success resets the number
 * @param brokenFrames the number of frames that were not events since the last event with
 * a new version
 * @param errorEventsSince the time of the first of the consecutive error events, in
 * nanoseconds
 * @param probeDue whether to request the server's version before the next watch
 * @param failedProbes the number of probes that failed since one became due
 */
record WatchFailureCounts(boolean failed, int silentWatches, int emptyWatches, int brokenFrames,
		@Nullable Long errorEventsSince, boolean probeDue, int failedProbes) {

	static WatchFailureCounts none() {
		return new WatchFailureCounts(false, 0, 0, 0, null, false, 0);
	}

	WatchFailureCounts watchFailed() {
		return this.failed ? this : new WatchFailureCounts(true, this.silentWatches, this.emptyWatches,
				this.brokenFrames, this.errorEventsSince, this.probeDue, this.failedProbes);
	}

	WatchFailureCounts watchEmpty() {
		return withEmptyWatches(this.emptyWatches + 1);
	}

	WatchFailureCounts watchNotEmpty() {
		return (this.emptyWatches == 0) ? this : withEmptyWatches(0);
	}

	private WatchFailureCounts withEmptyWatches(int count) {
		return new WatchFailureCounts(this.failed, this.silentWatches, count, this.brokenFrames, this.errorEventsSince,
				this.probeDue, this.failedProbes);
	}

	WatchFailureCounts watchSilent() {
		return new WatchFailureCounts(this.failed, this.silentWatches + 1, this.emptyWatches, this.brokenFrames,
				this.errorEventsSince, this.probeDue, this.failedProbes);
	}

	WatchFailureCounts frameBroken() {
		return new WatchFailureCounts(this.failed, this.silentWatches, this.emptyWatches, this.brokenFrames + 1,
				this.errorEventsSince, this.probeDue, this.failedProbes);
	}

	WatchFailureCounts errorEvent(long now) {
		return (this.errorEventsSince != null) ? this : new WatchFailureCounts(this.failed, this.silentWatches,
				this.emptyWatches, this.brokenFrames, now, this.probeDue, this.failedProbes);
	}

	/**
	 * Returns the counts that remain after an event.
	 * @param progress whether the event has a newer version. An event of a known version
	 * shows that the server responds, but not that it can send the next event
	 * @return the counts
	 */
	WatchFailureCounts event(boolean progress) {
		boolean stuck = !progress && (this.brokenFrames != 0 || this.errorEventsSince != null);
		if (!this.failed && this.silentWatches == 0 && this.emptyWatches == 0
				&& (stuck || (this.brokenFrames == 0 && this.errorEventsSince == null))) {
			// Most events get here: allocate nothing for them.
			return this;
		}
		return new WatchFailureCounts(false, 0, 0, stuck ? this.brokenFrames : 0, stuck ? this.errorEventsSince : null,
				this.probeDue, this.failedProbes);
	}

	boolean isSilent() {
		return this.silentWatches > 0;
	}

	WatchFailureCounts needingProbe() {
		return withProbe(true, 0);
	}

	/**
	 * Returns the counts after a successful probe. If the number of empty watches was too
	 * high, it is reset.
	 * @param heartbeat the signs of life of an idle server
	 * @return the counts
	 */
	WatchFailureCounts probed(Heartbeat heartbeat) {
		return (isEmptyTooOften(heartbeat) ? watchNotEmpty() : this).withProbe(false, this.failedProbes);
	}

	/**
	 * Returns the counts after a failed probe.
	 * @param most the number of consecutive failures after which the probe is given up
	 * @return the counts
	 */
	WatchFailureCounts probeFailed(int most) {
		boolean again = this.failedProbes + 1 < most;
		return (again ? this : watchNotEmpty()).withProbe(again, this.failedProbes + 1);
	}

	/**
	 * Returns whether the last watches are doubtful because nothing arrived on them.
	 * @param heartbeat the signs of life of an idle server
	 * @return {@code true} if too many watches were empty, or silent for too long
	 */
	boolean isEmptyDoubted(Heartbeat heartbeat) {
		return isEmptyTooOften(heartbeat) || (this.emptyWatches > 0 && this.silentWatches > 1 && !heartbeat.quiet());
	}

	boolean isEmptyTooOften(Heartbeat heartbeat) {
		return this.emptyWatches >= heartbeat.mostEmptyWatches();
	}

	private WatchFailureCounts withProbe(boolean due, int failedOnes) {
		return new WatchFailureCounts(this.failed, this.silentWatches, this.emptyWatches, this.brokenFrames,
				this.errorEventsSince, due, failedOnes);
	}

}
