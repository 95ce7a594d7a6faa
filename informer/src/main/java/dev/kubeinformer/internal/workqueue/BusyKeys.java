package dev.kubeinformer.internal.workqueue;

import java.util.List;

/**
 * Keys that keep a reconciler's loop busy: they are queued, running, due for a retry
 * within a second, or waiting until the caches show their own writes. A key that waits
 * for a requeue does not keep the loop busy, however short the wait is.
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
