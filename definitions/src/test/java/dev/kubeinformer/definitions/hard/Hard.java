package dev.kubeinformer.definitions.hard;

import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1ObjectMeta;

import dev.kubeinformer.resource.KubernetesResource;

/**
 * Class that is hard to describe, and an object of it.
 */
public abstract class Hard implements KubernetesObject {

	private String apiVersion;

	private String kind;

	private V1ObjectMeta metadata;

	/**
	 * Returns an object with a value in each field.
	 */
	public Hard filled(String name) {
		KubernetesResource resource = getClass().getAnnotation(KubernetesResource.class);
		this.apiVersion = resource.group() + "/" + resource.version();
		this.kind = resource.kind().isEmpty() ? getClass().getSimpleName() : resource.kind();
		this.metadata = new V1ObjectMeta().name(name).namespace(resource.namespaced() ? "default" : null);
		fill();
		return this;
	}

	protected abstract void fill();

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

}
