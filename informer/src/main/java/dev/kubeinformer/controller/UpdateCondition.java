package dev.kubeinformer.controller;

import io.kubernetes.client.common.KubernetesObject;

/**
 * Condition on which an update of a primary causes a run. It is evaluated for updates
 * only: additions, deletions, a new deletionTimestamp, resyncs and triggers always cause
 * a run.
 *
 * @param <T> the model class
 */
@FunctionalInterface
public interface UpdateCondition<T extends KubernetesObject> {

	/**
	 * Returns whether an update causes a run.
	 * @param before the object before the update; it must not be changed
	 * @param after the object after the update; it must not be changed
	 * @return {@code true} if it causes a run
	 * @throws Exception if the decision fails; it is repeated later
	 */
	boolean test(T before, T after) throws Exception;

}
