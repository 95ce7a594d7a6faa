package dev.kubeinformer.internal.reconcile;

import io.kubernetes.client.common.KubernetesObject;

import dev.kubeinformer.internal.transport.ApiWrites.Deleted;
import dev.kubeinformer.resource.ResourceType;

/**
 * Log of what a run has written: later runs are given it, or the next run of its key
 * waits until the caches show it. It is used by the thread of the run.
 */
public interface WriteLog {

	/**
	 * Records a write that left an object.
	 * @param type the resource
	 * @param returned the object as the API server returned it, or at least its metadata;
	 * nobody changes it any more
	 */
	void written(ResourceType<?> type, KubernetesObject returned);

	/**
	 * Records a deletion after which the object may be gone or not.
	 * @param type the resource
	 * @param last the object as it was last known, or at least its namespace, name and
	 * UID
	 */
	void deleted(ResourceType<?> type, KubernetesObject last);

	/**
	 * Records a deletion.
	 * @param type the resource
	 * @param last the object as it was last known, or at least its namespace, name and
	 * UID
	 * @param deleted what has become of it
	 */
	void deleted(ResourceType<?> type, KubernetesObject last, Deleted<?> deleted);

}
