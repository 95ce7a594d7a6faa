package dev.kubeinformer.spring;

import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import org.jspecify.annotations.Nullable;

/**
 * Base of the custom resources of tests: what all Kubernetes objects have.
 */
public abstract class CustomObject implements KubernetesObject {

	@Nullable String apiVersion;

	@Nullable String kind;

	@Nullable V1ObjectMeta metadata;

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
