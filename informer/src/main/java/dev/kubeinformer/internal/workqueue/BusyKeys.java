package dev.kubeinformer.internal.workqueue;

import java.util.List;

/**
 * Keys that keep a loop from being idle: queued, running, parked, or in a retry that is
 * due within a second. A requeue is idle, however short.
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
