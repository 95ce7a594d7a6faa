package dev.kubeinformer;

import io.kubernetes.client.openapi.models.V1Pod;

import dev.kubeinformer.handler.ResourceEvent;

/**
 * One change of a pod, as it was written or as a handler received it.
 *
 * @param type what happened
 * @param name the name of the pod
 * @param version its resourceVersion after the change
 */
record PodChange(ResourceEvent.Type type, String name, String version) {

	static PodChange of(ResourceEvent.Type type, V1Pod pod) {
		return new PodChange(type, pod.getMetadata().getName(), pod.getMetadata().getResourceVersion());
	}

}
