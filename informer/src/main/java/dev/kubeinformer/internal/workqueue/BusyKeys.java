package dev.kubeinformer.internal.workqueue;

import java.util.List;

/**
 * Keys because of which a loop counts as busy, not idle: those that are queued, running,
 * parked, or due for a retry within a second. A key that waits for a requeue does not
 * keep the loop busy, however short the wait is.
 *
 * @param count the number of keys
 * @param names some of the keys, with the reasons why they wait; at most 20
 * @param runsStarted the number of runs that were started since the loop was created
 */
public record BusyKeys(int count, List<String> names, long runsStarted) {

	/**
	 * Returns whether the loop is idle.
	 * @return {@code true} if there are no busy keys
	 */
	public boolean isIdle() {
		return this.count == 0;
	}

}
