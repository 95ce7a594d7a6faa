package dev.kubeinformer.internal.workqueue;

import java.util.List;

/**
 * Keys that keep a loop from being idle: queued, running, parked, or in a retry that is
 * due within a second. A requeue is idle, however short.
 *
 * @param count how many there are
 * @param names some of them, with what they wait for; at most 20
 * @param runsStarted the number of runs that were started since the loop was made
 */
public record BusyKeys(int count, List<String> names, long runsStarted) {

	/**
	 * Returns whether there are none.
	 * @return whether the loop is idle
	 */
	public boolean isIdle() {
		return this.count == 0;
	}

}
