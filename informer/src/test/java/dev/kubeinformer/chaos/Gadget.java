package dev.kubeinformer.chaos;

import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1ObjectMeta;

import dev.kubeinformer.resource.KubernetesResource;

/**
 * A custom resource.
 */
@KubernetesResource(group = Gadget.GROUP, version = "v1", plural = "gadgets")
class Gadget implements KubernetesObject {

	static final String GROUP = "chaos.example.com";

	private String apiVersion;

	private String kind;

	private V1ObjectMeta metadata;

	private long value;

	@Override
	public V1ObjectMeta getMetadata() {
		return this.metadata;
	}

	@Override
	public String getApiVersion() {
		return this.apiVersion;
	}

	@Override
	public String getKind() {
		return this.kind;
	}

	long getValue() {
		return this.value;
	}

}
