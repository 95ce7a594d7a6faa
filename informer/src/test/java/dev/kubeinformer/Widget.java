package dev.kubeinformer;

import java.util.Map;

import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.resource.KubernetesResource;

/**
 * Custom resource of the tests of reconcilers.
 */
@KubernetesResource(group = "example.com", version = "v1", plural = "widgets")
public class Widget implements KubernetesObject {

	private String apiVersion = "example.com/v1";

	private String kind = "Widget";

	private @Nullable V1ObjectMeta metadata;

	private @Nullable Spec spec;

	private @Nullable Status status;

	static Widget of(String namespace, String name, int size) {
		Widget widget = new Widget();
		widget.metadata = new V1ObjectMeta().namespace(namespace).name(name);
		widget.spec = new Spec();
		widget.spec.size = size;
		return widget;
	}

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

	void setMetadata(V1ObjectMeta metadata) {
		this.metadata = metadata;
	}

	int size() {
		return (this.spec != null) ? this.spec.size : 0;
	}

	void size(int size) {
		Spec changed = new Spec();
		changed.size = size;
		this.spec = changed;
	}

	int ready() {
		return (this.status != null) ? this.status.ready : 0;
	}

	void ready(int ready) {
		Status changed = new Status();
		changed.ready = ready;
		this.status = changed;
	}

	Map<String, String> labels() {
		Map<String, String> labels = (this.metadata != null) ? this.metadata.getLabels() : null;
		return (labels != null) ? labels : Map.of();
	}

	/** Desired state. */
	public static class Spec {

		private int size;

	}

	/** Observed state. */
	public static class Status {

		private int ready;

	}

}
