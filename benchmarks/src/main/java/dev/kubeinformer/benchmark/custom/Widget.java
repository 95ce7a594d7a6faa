package dev.kubeinformer.benchmark.custom;

import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.resource.KubernetesResource;

/** Custom resource in the form that the official client needs. */
@KubernetesResource(group = "bench.example.com", version = "v1", plural = "widgets")
public final class Widget implements KubernetesObject {

	private @Nullable String apiVersion;

	private @Nullable String kind;

	private @Nullable V1ObjectMeta metadata;

	private @Nullable WidgetSpec spec;

	private @Nullable WidgetStatus status;

	@Override
	public @Nullable String getApiVersion() {
		return this.apiVersion;
	}

	/**
	 * Sets the API version.
	 * @param apiVersion group and version
	 */
	public void setApiVersion(@Nullable String apiVersion) {
		this.apiVersion = apiVersion;
	}

	@Override
	public @Nullable String getKind() {
		return this.kind;
	}

	/**
	 * Sets the kind.
	 * @param kind the kind
	 */
	public void setKind(@Nullable String kind) {
		this.kind = kind;
	}

	@Override
	public @Nullable V1ObjectMeta getMetadata() {
		return this.metadata;
	}

	/**
	 * Sets the metadata.
	 * @param metadata the metadata
	 */
	public void setMetadata(@Nullable V1ObjectMeta metadata) {
		this.metadata = metadata;
	}

	/**
	 * Returns the desired state.
	 * @return the spec
	 */
	public @Nullable WidgetSpec getSpec() {
		return this.spec;
	}

	/**
	 * Returns the observed state.
	 * @return the status
	 */
	public @Nullable WidgetStatus getStatus() {
		return this.status;
	}

}
