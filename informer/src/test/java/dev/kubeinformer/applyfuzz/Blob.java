package dev.kubeinformer.applyfuzz;

import java.util.Map;

import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.resource.KubernetesResource;

/**
 * Custom resource with a schema of everything that lists and maps may be.
 */
@KubernetesResource(group = "fuzz.example.com", version = "v1", plural = "blobs")
public class Blob implements KubernetesObject {

	private String apiVersion = "fuzz.example.com/v1";

	private String kind = "Blob";

	private @Nullable V1ObjectMeta metadata;

	private @Nullable Map<String, Object> spec;

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

	public @Nullable Map<String, Object> getSpec() {
		return this.spec;
	}

}
