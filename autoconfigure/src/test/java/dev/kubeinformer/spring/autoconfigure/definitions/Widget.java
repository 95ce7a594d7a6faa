package dev.kubeinformer.spring.autoconfigure.definitions;

import java.util.List;

import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.resource.KubernetesResource;

/**
 * Custom resource of the tests.
 */
@KubernetesResource(group = "example.com", version = "v1", plural = "widgets")
class Widget implements KubernetesObject {

	String apiVersion = "example.com/v1";

	String kind = "Widget";

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

	/**
	 * Spec of a widget.
	 */
	static class Spec {

		@Nullable String size;

		@Nullable List<String> tags;

	}

	/**
	 * The same kind of a newer application.
	 */
	@KubernetesResource(group = "example.com", version = "v1", plural = "widgets", kind = "Widget")
	static class Newer extends Base {

		@Nullable NewerSpec spec;

	}

	/**
	 * Spec with a further field.
	 */
	static class NewerSpec extends Spec {

		@Nullable String color;

	}

	/**
	 * The same kind, whose size has another type.
	 */
	@KubernetesResource(group = "example.com", version = "v1", plural = "widgets", kind = "Widget")
	static class Retyped extends Base {

		@Nullable RetypedSpec spec;

	}

	/**
	 * Spec with a number where others have a text.
	 */
	static class RetypedSpec {

		@Nullable Integer size;

		@Nullable List<String> tags;

	}

	/**
	 * Resource with a type that has no schema.
	 */
	@KubernetesResource(group = "example.com", version = "v1", plural = "trees")
	static class Tree extends Base {

		@Nullable Node spec;

	}

	/**
	 * Recursive type.
	 */
	static class Node {

		@Nullable List<Node> children;

	}

	/**
	 * Another resource.
	 */
	@KubernetesResource(group = "example.com", version = "v1", plural = "gears")
	static class Gear extends Base {

		@Nullable Spec spec;

	}

	/**
	 * Part of a built-in resource, in a version that does not exist any more.
	 */
	@KubernetesResource(group = "apps", version = "v1beta2", plural = "deployments", kind = "Deployment")
	static class Deployed extends Base {

	}

	/**
	 * Part of a built-in resource of the core group.
	 */
	@KubernetesResource(group = "", version = "v1", plural = "configmaps", kind = "ConfigMap")
	static class Mapped extends Base {

	}

	/**
	 * Fields of every object.
	 */
	abstract static class Base implements KubernetesObject {

		@Nullable String apiVersion;

		@Nullable String kind;

		@Nullable V1ObjectMeta metadata;

		@Override
		public @Nullable String getApiVersion() {
			return this.apiVersion;
		}

		@Override
		public @Nullable String getKind() {
			return this.kind;
		}

		@Override
		public @Nullable V1ObjectMeta getMetadata() {
			return this.metadata;
		}

	}

}
