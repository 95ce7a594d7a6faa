package dev.kubeinformer.internal.reconcile;

import java.util.List;
import java.util.Map;

import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1Condition;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.resource.KubernetesResource;

/**
 * Primary of the tests.
 */
@KubernetesResource(group = "example.com", version = "v1", plural = "widgets")
public class Widget implements KubernetesObject {

	private String apiVersion = "example.com/v1";

	private String kind = "Widget";

	private @Nullable V1ObjectMeta metadata;

	@Nullable Spec spec;

	@Nullable Status status;

	static Widget named(String namespace, String name) {
		Widget widget = new Widget();
		widget.metadata = new V1ObjectMeta().namespace(namespace).name(name);
		widget.spec = new Spec();
		widget.spec.size = 3;
		return widget;
	}

	@Override
	public @Nullable V1ObjectMeta getMetadata() {
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

	static class Spec {

		int size;

	}

	static class Status {

		@Nullable Integer ready;

		@Nullable String phase;

		@Nullable Map<String, String> seen;

		@Nullable List<V1Condition> conditions;

	}

}
