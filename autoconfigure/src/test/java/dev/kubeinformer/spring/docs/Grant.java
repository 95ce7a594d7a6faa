package dev.kubeinformer.spring.docs;

import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1ObjectMeta;

import dev.kubeinformer.resource.KubernetesResource;

/**
 * Custom resource of the example of unowned objects.
 */
@KubernetesResource(group = "example.com", version = "v1", plural = "grants")
class Grant implements KubernetesObject {

	String apiVersion = "example.com/v1";

	String kind = "Grant";

	V1ObjectMeta metadata = new V1ObjectMeta();

	Spec spec = new Spec();

	@Override
	public String getApiVersion() {
		return this.apiVersion;
	}

	@Override
	public String getKind() {
		return this.kind;
	}

	@Override
	public V1ObjectMeta getMetadata() {
		return this.metadata;
	}

	static class Spec {

		String role = "";

		String serviceAccount = "";

	}

}
