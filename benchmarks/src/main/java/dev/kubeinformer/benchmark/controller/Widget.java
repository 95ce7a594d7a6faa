package dev.kubeinformer.benchmark.controller;

import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.resource.KubernetesResource;

/** Custom resource of the comparison. */
@KubernetesResource(group = "example.com", version = "v1", plural = "widgets")
final class Widget implements KubernetesObject {

	private @Nullable String apiVersion;

	private @Nullable String kind;

	private @Nullable V1ObjectMeta metadata;

	private @Nullable Spec spec;

	@Override
	public @Nullable String getApiVersion() {
		return this.apiVersion;
	}

	void setApiVersion(@Nullable String apiVersion) {
		this.apiVersion = apiVersion;
	}

	@Override
	public @Nullable String getKind() {
		return this.kind;
	}

	void setKind(@Nullable String kind) {
		this.kind = kind;
	}

	@Override
	public @Nullable V1ObjectMeta getMetadata() {
		return this.metadata;
	}

	void setMetadata(@Nullable V1ObjectMeta metadata) {
		this.metadata = metadata;
	}

	@Nullable Spec getSpec() {
		return this.spec;
	}

	void setSpec(@Nullable Spec spec) {
		this.spec = spec;
	}

	/** Desired state of a widget. */
	static final class Spec {

		private int size;

		private @Nullable String message;

		int getSize() {
			return this.size;
		}

		void setSize(int size) {
			this.size = size;
		}

		@Nullable String getMessage() {
			return this.message;
		}

		void setMessage(@Nullable String message) {
			this.message = message;
		}

	}

}
