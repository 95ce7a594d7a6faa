package dev.kubeinformer.internal.control;

import java.util.concurrent.TimeUnit;

/**
 * Pace of a key whose runs are caused by writes of this application. After more than 30
 * such runs within a minute there is a least interval between the runs of the key: one
 * second at first, twice as much with each further such run, ten seconds at most. It ends
 * when there was no such run for a minute.
 * <p>
 * A run that was caused by an object for the first time within a minute counts a tenth,
 * because a reconciler that creates or changes its children one by one makes progress.
 * <p>
 * Pure: times are given in nanoseconds since any moment.
 *
 * @param since the beginning of the minute that is counted
 * @param points the runs of that minute, in tenths
 * @param interval the least interval between the starts of two runs; zero if the key is
 * not slowed down
 * @param lastOwn the time of the last run that a write of this application caused
 */
record LoopPace(long since, int points, long interval, long lastOwn) {

	private static final long MINUTE = TimeUnit.MINUTES.toNanos(1);

	private static final int MOST_POINTS = 300;

	private static final int REPEATED = 10;

	private static final long FIRST = TimeUnit.SECONDS.toNanos(1);

	private static final long LONGEST = TimeUnit.SECONDS.toNanos(10);

	/**
	 * Returns the pace of a key that is not slowed down.
	 * @param now the time
	 * @return the pace
	 */
	static LoopPace unlimited(long now) {
		return new LoopPace(now, 0, 0, now);
	}

	/**
	 * Returns the pace after a run.
	 * @param cause the cause of the run
	 * @param now the time
	 * @return the pace from now on
	 */
	LoopPace after(Cause cause, long now) {
		boolean over = now - this.lastOwn > MINUTE;
		boolean nextMinute = now - this.since > MINUTE;
		long start = nextMinute ? now : this.since;
		int before = nextMinute ? 0 : this.points;
		long current = over ? 0 : this.interval;
		if (cause == Cause.OTHERS) {
			return new LoopPace(start, before, current, this.lastOwn);
		}
		int count = before + ((cause == Cause.OWN_AGAIN) ? REPEATED : 1);
		return new LoopPace(start, count, next(current, count), now);
	}

	private static long next(long interval, int points) {
		if (interval > 0) {
			return Math.min(interval * 2, LONGEST);
		}
		return (points > MOST_POINTS) ? FIRST : 0;
	}

	/**
	 * Returns whether the key is slowed down.
	 * @param now the time
	 * @return whether it is slowed down
	 */
	boolean isSlowed(long now) {
		return this.interval > 0 && now - this.lastOwn <= MINUTE;
	}

	/**
	 * Cause of a run.
	 */
	enum Cause {

		/** At least one change that was not made by this application, or none at all. */
		OTHERS,

		/** Changes by this application, one of them of an object that caused none. */
		OWN_FIRST,

		/** Changes by this application, all of objects that caused runs before. */
		OWN_AGAIN

	}

}
