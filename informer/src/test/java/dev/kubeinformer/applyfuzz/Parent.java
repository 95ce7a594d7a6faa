package dev.kubeinformer.applyfuzz;

import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.resource.KubernetesResource;

/**
 * The primary of the fuzz: it has one child each.
 */
@KubernetesResource(group = "fuzz.example.com", version = "v1", plural = "parents", namespaced = false)
public class Parent implements KubernetesObject {

	private String apiVersion = "fuzz.example.com/v1";

	private String kind = "Parent";

	private @Nullable V1ObjectMeta metadata;

	@Override
	public String getApiVersion() {
		return this.apiVersion;
	}

	@Override
	public String getKind() {
		return this.kind;
	}

	@Override
	public @Nullable V1ObjectMeta getMetadata() {
		return this.metadata;
	}

}
