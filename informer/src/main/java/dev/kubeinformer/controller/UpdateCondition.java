package dev.kubeinformer.controller;

import io.kubernetes.client.common.KubernetesObject;

/**
 * Condition on which an update of a primary leads to a run. It is asked for updates only:
 * additions, deletions, a new deletionTimestamp, resyncs and triggers always do.
 *
 * @param <T> the model class
 */
@FunctionalInterface
public interface UpdateCondition<T extends KubernetesObject> {

	/**
	 * Returns whether an update leads to a run.
	 * @param before the object before; not to be changed
	 * @param after the object after; not to be changed
	 * @return whether it does
	 * @throws Exception if it cannot be said now; it is asked again
	 */
	boolean test(T before, T after) throws Exception;

}
