package dev.kubeinformer.controller;

import io.kubernetes.client.common.KubernetesObject;

/**
 * Function that moves the cluster towards the state that an object asks for.
 *
 * @param <T> the model class of the primary
 */
@FunctionalInterface
public interface ReconcileFunction<T extends KubernetesObject> {

	/**
	 * Reconciles an object. Only one thread at a time calls it for a key. Several threads
	 * can call it for different keys.
	 * @param object a private copy of the primary, as the cache holds it
	 * @param run the run, with the owned objects and the methods for writing
	 * @return the result, which says whether to reconcile the object again although
	 * nothing changes
	 * @throws GiveUpException if no retry can succeed
	 * @throws Exception if the run failed and should be retried
	 */
	Result reconcile(T object, Reconciliation<T> run) throws Exception;

}
