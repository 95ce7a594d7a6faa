package dev.kubeinformer.controller;

import io.kubernetes.client.common.KubernetesObject;

/**
 * Function that brings the cluster closer to what an object asks for.
 *
 * @param <T> the model class of the primary
 */
@FunctionalInterface
public interface ReconcileFunction<T extends KubernetesObject> {

	/**
	 * Reconciles an object. It is called by one thread at a time for each key, and by
	 * several threads for different keys.
	 * @param object a private copy of the primary, as the cache holds it
	 * @param run the run, with the owned objects and the writer
	 * @return whether the object is to be reconciled again although nothing changes
	 * @throws GiveUpException if no retry can help
	 * @throws Exception if the run failed and is to be tried again
	 */
	Result reconcile(T object, Reconciliation<T> run) throws Exception;

}
