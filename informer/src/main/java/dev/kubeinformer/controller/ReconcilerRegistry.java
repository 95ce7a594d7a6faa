package dev.kubeinformer.controller;

import java.time.Duration;
import java.util.Collection;

/** Reconcilers of an application. */
public interface ReconcilerRegistry {

	/**
	 * Returns the container of a reconciler.
	 * @param id the id of the container
	 * @return the container
	 * @throws IllegalArgumentException if no reconciler has that id
	 */
	ReconcilerContainer get(String id);

	/**
	 * Returns all containers.
	 * @return the containers in the order of their registration
	 */
	Collection<ReconcilerContainer> all();

	/**
	 * Waits until all started reconcilers are idle at the same time, because a run of one
	 * may cause a run of another.
	 * @param timeout the longest time to wait
	 * @return {@code true} if all are idle; {@code false} at the timeout, with the busy
	 * keys in the log
	 * @throws InterruptedException if the thread is interrupted
	 * @see ReconcilerContainer#awaitIdle(Duration)
	 */
	boolean awaitIdle(Duration timeout) throws InterruptedException;

}
