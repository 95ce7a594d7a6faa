package dev.kubeinformer.internal.reflector;

import org.jspecify.annotations.Nullable;

/**
 * Doubts whether the watch works: counts of failed, silent and empty watches. An event or
 * a list resets them.
 *
 * @param failed whether a watch failed and nothing was received since
 * @param silentWatches the number of consecutive watches that were silent for too long
 * @param emptyWatches the number of consecutive watches that were cut without having
 * brought a byte or had no response in time, since a probe last dispelled that doubt
 * @param brokenFrames the number of consecutive frames at the last version that were not
 * events
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
	 * Returns the doubts that remain after an event.
	 * @param progress whether the event has a newer version. An event of a known version
	 * shows that the server responds, but not that it can send the next event
	 * @return the doubts
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
	 * Returns the counts after a successful probe. If there were too many empty watches,
	 * their number is reset.
	 * @param heartbeat the signs of life of an idle server
	 * @return the doubts
	 */
	WatchFailureCounts probed(Heartbeat heartbeat) {
		return (isEmptyTooOften(heartbeat) ? watchNotEmpty() : this).withProbe(false, this.failedProbes);
	}

	/**
	 * Returns the doubts after a failed probe.
	 * @param most the number of consecutive failures after which the probe is given up
	 * @return the doubts
	 */
	WatchFailureCounts probeFailed(int most) {
		boolean again = this.failedProbes + 1 < most;
		return (again ? this : watchNotEmpty()).withProbe(again, this.failedProbes + 1);
	}

	/**
	 * Returns whether the last watches are doubtful because they brought nothing.
	 * @param heartbeat the signs of life of an idle server
	 * @return {@code true} if too many of them were empty, or silent for too long
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
