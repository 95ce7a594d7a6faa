package dev.kubeinformer.shard;

import java.util.Set;

/**
 * Work that is divided by slots, such as a cache or a reconciler. Calls of
 * {@link #gained}, {@link #settled} and {@link #lost} for one work do not overlap, unless
 * one of them does not return within a second. Calls of {@link #drain} overlap with these
 * and with each other, but only for different slots; {@link #lost} also interrupts a
 * drain of the same slots.
 *
 * @see Shards#register(ShardWork)
 */
public interface ShardWork {

	/**
	 * Returns the phase of this work. When a slot is gained, work of an earlier phase
	 * begins first. When the slot is lost, work of an earlier phase ends last.
	 * @return the phase
	 */
	default Phase phase() {
		return Phase.RUNS;
	}

	/**
	 * Begins the work of slots that this process has gained. Must return quickly. If work
	 * is registered while slots are held, it is called with all of these slots.
	 * @param slots the indexes of the slots
	 */
	void gained(Set<Integer> slots);

	/**
	 * Called when the first distribution of slots after a start of the membership is
	 * known. If this process has gained slots, {@link #gained} is called first. Must
	 * return quickly.
	 */
	default void settled() {
	}

	/**
	 * Called when the membership has stopped, so that the distribution of slots is not
	 * known any more. A call of {@link #settled} follows its next start. Must return
	 * quickly.
	 */
	default void unsettled() {
	}

	/**
	 * Ends the work of slots while this process still holds them: begins nothing new, and
	 * waits until running operations have ended, within the work's own limits. A cache
	 * removes the objects of the slots. Called on a separate thread, which is interrupted
	 * if the slots are lost during the call. Calls for different slots can overlap.
	 * @param slots the indexes of the slots
	 * @return {@code true} if no operation of the slots is running any more; only then
	 * the slots are released. After {@code false} or an exception, this method is called
	 * again while the slots are held
	 * @throws InterruptedException if the thread is interrupted
	 */
	boolean drain(Set<Integer> slots) throws InterruptedException;

	/**
	 * Ends the work of slots at once, because this process does not hold them any more.
	 * Begins nothing new, cancels requests, and interrupts threads. A cache keeps the
	 * objects: {@link #gained} is called later if this process gains the slots again, or
	 * {@link #drain} if another member has gained them. Must return quickly and must not
	 * wait.
	 * @param slots the indexes of the slots
	 */
	void lost(Set<Integer> slots);

	/**
	 * Phase of work. It determines the order in which different work begins and ends.
	 */
	enum Phase {

		/** Caches and their handlers. */
		CACHES,

		/** Runs of reconcilers, which read caches. */
		RUNS

	}

}
