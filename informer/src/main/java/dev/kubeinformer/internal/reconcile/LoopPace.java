package dev.kubeinformer.internal.reconcile;

import java.util.concurrent.TimeUnit;

/**
 * Pace of a key whose runs are caused by writes of this application. After more than 30
 * {@link Cause#OWN_OFTEN repetitive} runs within a minute there is a minimum interval
 * between the runs of the key. It is one second at first, doubles with each further run
 * that starts as soon as the interval allows, and is ten seconds at most.
 * <p>
 * A slow pace ends after two and a half intervals without such a run, but not before ten
 * seconds. It also ends after a minute in any case, because the runs of a slowed-down key
 * do not show whether they belong to a loop. If the loop continues, it is detected again,
 * and the key is slowed down for twice as long each time, up to 16 minutes.
 * <p>
 * A run counts only as a tenth if it was caused by an object that had not caused a run
 * before. So a reconciler may create its children one by one, but not an endless number
 * of objects.
 * <p>
 * Pure: times are parameters, in nanoseconds since an arbitrary origin.
 *
 * @param since the beginning of the current minute
 * @param points the runs of that minute, in tenths
 * @param interval the minimum interval between the starts of two runs; zero if the key is
 * not slowed down
 * @param lastOwn the time of the last run that a write of this application caused
 * @param turned the time at which the slow pace began or ended
 * @param longest the longest duration of the latest slow pace; zero if there was none
 * recently
 */
record LoopPace(long since, int points, long interval, long lastOwn, long turned, long longest) {

	private static final long MINUTE = TimeUnit.MINUTES.toNanos(1);

	private static final int MOST_POINTS = 300;

	private static final long FIRST = TimeUnit.SECONDS.toNanos(1);

	private static final long LONGEST = TimeUnit.SECONDS.toNanos(10);

	private static final long LEAST_SILENCE = TimeUnit.SECONDS.toNanos(10);

	private static final long MOST_MINUTES = 16 * MINUTE;

	/**
	 * Returns the pace of a key that has not been slowed down.
	 * @param now the time
	 * @return the pace
	 */
	static LoopPace unlimited(long now) {
		return new LoopPace(now, 0, 0, now, now, 0);
	}

	/**
	 * Returns the pace after a run.
	 * @param cause the cause of the run
	 * @param now the time
	 * @return the new pace
	 */
	LoopPace after(Cause cause, long now) {
		LoopPace current = at(now);
		return (cause != Cause.OTHERS) ? current.afterOwn(cause, now) : current;
	}

	private LoopPace afterOwn(Cause cause, long now) {
		if (this.interval > 0) {
			// A run that starts later than the interval requires does not belong to a
			// loop; it may be a heartbeat.
			boolean soon = now - this.lastOwn <= 2 * this.interval;
			return new LoopPace(this.since, this.points, soon ? Math.min(this.interval * 2, LONGEST) : this.interval,
					now, this.turned, this.longest);
		}
		int count = this.points + cause.points;
		if (count > MOST_POINTS) {
			return new LoopPace(this.since, count, FIRST, now, now,
					(this.longest > 0) ? Math.min(this.longest * 2, MOST_MINUTES) : MINUTE);
		}
		return new LoopPace(this.since, count, 0, now, this.turned, this.longest);
	}

	/**
	 * Returns the pace at a later time without a further run.
	 * @param now the time
	 * @return the pace, which is not slow if the slow pace has ended
	 */
	LoopPace at(long now) {
		if (this.interval > 0) {
			return isSlowed(now) ? this
					: isSilent(now) ? unlimited(now) : new LoopPace(now, 0, 0, this.lastOwn, now, this.longest);
		}
		boolean nextMinute = now - this.since > MINUTE;
		return new LoopPace(nextMinute ? now : this.since, nextMinute ? 0 : this.points, 0, this.lastOwn, this.turned,
				(now - this.turned > 2 * MINUTE) ? 0 : this.longest);
	}

	/**
	 * Returns whether the key is slowed down.
	 * @param now the time
	 * @return {@code true} if there is a minimum interval
	 */
	boolean isSlowed(long now) {
		return this.interval > 0 && !isSilent(now) && now - this.turned <= this.longest;
	}

	// Two keys that wait for each other run again within two intervals.
	private boolean isSilent(long now) {
		return now - this.lastOwn > Math.max(this.interval * 5 / 2, LEAST_SILENCE);
	}

	/**
	 * Cause of a run.
	 */
	enum Cause {

		/**
		 * At least one change by another client, or no change at all. Such a run does not
		 * count.
		 */
		OTHERS(0),

		/**
		 * Changes by this application; at least one of the changed objects has caused no
		 * run yet.
		 */
		OWN_FIRST(1),

		/**
		 * Changes by this application; at least one of the changed objects has caused few
		 * runs.
		 */
		OWN_FEW(0),

		/**
		 * Changes by this application; all of the changed objects have caused many runs.
		 */
		OWN_OFTEN(10);

		private final int points;

		Cause(int points) {
			this.points = points;
		}

	}

}
