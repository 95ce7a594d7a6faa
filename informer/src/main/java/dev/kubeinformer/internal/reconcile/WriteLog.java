package dev.kubeinformer.internal.reconcile;

import io.kubernetes.client.common.KubernetesObject;

import dev.kubeinformer.resource.ResourceType;

/**
 * Log of what a run has written: the next run of its key waits until the caches show it.
 * It is used by the thread of the run.
 */
public interface WriteLog {

	/**
	 * Records a write that left an object.
	 * @param type the resource
	 * @param returned the object as the API server returned it, or at least its metadata
	 */
	void written(ResourceType<?> type, KubernetesObject returned);

	/**
	 * Records a deletion.
	 * @param type the resource
	 * @param last the object as it was last known, or at least its namespace, name and
	 * UID
	 */
	void deleted(ResourceType<?> type, KubernetesObject last);

}
