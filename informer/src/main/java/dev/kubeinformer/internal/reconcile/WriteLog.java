package dev.kubeinformer.internal.reconcile;

import io.kubernetes.client.common.KubernetesObject;

import dev.kubeinformer.internal.transport.ApiWrites.Deleted;
import dev.kubeinformer.resource.ResourceType;

/**
 * Records the writes of a run. Later runs read these writes, or the next run of the key
 * waits until the caches show them. Used by the thread of the run.
 */
public interface WriteLog {

	/**
	 * Records a write after which the object exists.
	 * @param type the resource
	 * @param returned the object as the API server returned it, or at least its metadata;
	 * nobody may change it from now on
	 */
	void written(ResourceType<?> type, KubernetesObject returned);

	/**
	 * Records a deletion. The object may still exist, for example because of a finalizer.
	 * @param type the resource
	 * @param last the last known state of the object, or at least its namespace, name and
	 * UID
	 */
	void deleted(ResourceType<?> type, KubernetesObject last);

	/**
	 * Records a deletion whose outcome is known.
	 * @param type the resource
	 * @param last the last known state of the object, or at least its namespace, name and
	 * UID
	 * @param deleted the outcome
	 */
	void deleted(ResourceType<?> type, KubernetesObject last, Deleted<?> deleted);

}
