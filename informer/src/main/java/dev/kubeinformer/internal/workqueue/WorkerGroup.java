package dev.kubeinformer.internal.workqueue;

import dev.kubeinformer.internal.transport.Fence;

/**
 * Workers of one start of a loop. Those of an earlier start that are still busy do not
 * count among them. Guarded by the lock of the loop.
 */
final class WorkerGroup {

	/** Limits the time in which keys are taken, and in which runs may send requests. */
	final Fence fence;

	/** The number of threads, those included that are about to be made. */
	int threads;

	/** The number of threads that wait for a key. */
	int idle;

	/** The number of threads that were made, which names them. */
	int numbers;

	/** The deadline that the first of these waits for. */
	long awaitedDeadline = KeyQueue.NEVER;

	WorkerGroup(Fence fence) {
		this.fence = fence;
	}

}
