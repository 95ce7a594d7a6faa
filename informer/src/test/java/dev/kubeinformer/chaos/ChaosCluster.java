package dev.kubeinformer.chaos;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.stream.IntStream;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.kubernetes.client.custom.V1Patch;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.openapi.apis.CoreV1Api;
import io.kubernetes.client.openapi.models.V1Namespace;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.util.generic.KubernetesApiResponse;
import io.kubernetes.client.util.generic.dynamic.DynamicKubernetesApi;
import io.kubernetes.client.util.generic.dynamic.DynamicKubernetesListObject;
import io.kubernetes.client.util.generic.dynamic.DynamicKubernetesObject;
import io.kubernetes.client.util.generic.options.ListOptions;
import io.kubernetes.client.util.generic.options.PatchOptions;

import static org.awaitility.Awaitility.await;

/**
 * A real cluster with some namespaces and a custom resource of the test, read and written
 * without any fault between.
 */
final class ChaosCluster implements AutoCloseable {

	private static final int NAMESPACES = 4;

	private final CoreV1Api core;

	private final DynamicKubernetesApi definitions;

	private final Map<Kind, DynamicKubernetesApi> apis = new TreeMap<>();

	private final Map<Child, DynamicKubernetesApi> children = new TreeMap<>();

	private final List<String> namespaces;

	ChaosCluster(ApiClient client) throws ApiException {
		this.core = new CoreV1Api(client);
		this.definitions = new DynamicKubernetesApi("apiextensions.k8s.io", "v1", "customresourcedefinitions", client);
		for (Kind kind : Kind.values()) {
			this.apis.put(kind, new DynamicKubernetesApi(kind.group, "v1", kind.plural, client));
		}
		for (Child child : Child.values()) {
			this.children.put(child, new DynamicKubernetesApi("", "v1", child.plural, client));
		}
		String prefix = "chaos-" + UUID.randomUUID().toString().substring(0, 8) + "-";
		this.namespaces = IntStream.range(0, NAMESPACES).mapToObj((i) -> prefix + i).toList();
		for (String namespace : this.namespaces) {
			this.core.createNamespace(new V1Namespace().metadata(new V1ObjectMeta().name(namespace))).execute();
		}
		define(Kind.GADGETS);
		define(Kind.PARENTS);
	}

	/** Deletes the objects that a killed run left of a custom resource first. */
	private void define(Kind kind) {
		String name = kind.plural + "." + kind.group;
		remove(kind);
		await().until(() -> this.definitions.get(name).getHttpStatusCode() == 404);
		DynamicKubernetesObject definition = new DynamicKubernetesObject(JsonParser.parseString("""
				{"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
				 "metadata": {"name": "%s"},
				 "spec": {"group": "%s", "scope": "Namespaced", "names": {"plural": "%s", "kind": "%s"},
				  "versions": [{"name": "v1", "served": true, "storage": true, "schema": {"openAPIV3Schema":
				   {"type": "object", "properties": {"value": {"type": "integer"}}}}}]}}
				""".formatted(name, kind.group, kind.plural, kind.kind)).getAsJsonObject());
		await().ignoreExceptions().until(() -> this.definitions.create(definition).isSuccess());
		await().ignoreExceptions().until(() -> this.apis.get(kind).list().isSuccess());
	}

	/** Nobody takes the finalizers away any more. */
	private void remove(Kind kind) {
		KubernetesApiResponse<DynamicKubernetesListObject> left = this.apis.get(kind).list();
		if (left.isSuccess()) {
			for (DynamicKubernetesObject object : left.getObject().getItems()) {
				V1ObjectMeta metadata = object.getMetadata();
				this.apis.get(kind)
					.patch(metadata.getNamespace(), metadata.getName(), V1Patch.PATCH_FORMAT_JSON_MERGE_PATCH,
							new V1Patch("{\"metadata\": {\"finalizers\": null}}"), new PatchOptions());
			}
		}
		this.definitions.delete(kind.plural + "." + kind.group);
	}

	List<String> namespaces() {
		return this.namespaces;
	}

	DynamicKubernetesApi api(Kind kind) {
		return this.apis.get(kind);
	}

	/**
	 * Returns the current objects of the server.
	 * @param kind the resource
	 * @return the objects of the whole cluster
	 */
	List<DynamicKubernetesObject> list(Kind kind) {
		KubernetesApiResponse<DynamicKubernetesListObject> response = this.apis.get(kind).list();
		if (!response.isSuccess()) {
			throw new IllegalStateException(
					"The list of '%s' failed by %d".formatted(kind.plural, response.getHttpStatusCode()));
		}
		return response.getObject().getItems();
	}

	/**
	 * Returns the server's current children of parents.
	 * @param child the kind of children
	 * @return the objects of the namespaces of this run
	 */
	List<DynamicKubernetesObject> list(Child child) {
		ListOptions options = new ListOptions();
		options.setLabelSelector(Replica.CHILD);
		KubernetesApiResponse<DynamicKubernetesListObject> response = this.children.get(child).list(options);
		if (!response.isSuccess()) {
			throw new IllegalStateException(
					"The list of '%s' failed by %d".formatted(child.plural, response.getHttpStatusCode()));
		}
		// A run that was killed leaves its own.
		return response.getObject()
			.getItems()
			.stream()
			.filter((object) -> this.namespaces.contains(object.getMetadata().getNamespace()))
			.toList();
	}

	/**
	 * Deletes a child behind the back of its reconciler.
	 * @param child the child
	 * @return the status
	 */
	int delete(Child kind, DynamicKubernetesObject child) {
		return this.children.get(kind)
			.delete(child.getMetadata().getNamespace(), child.getMetadata().getName())
			.getHttpStatusCode();
	}

	/**
	 * Versions of some objects.
	 * @param objects the objects
	 * @param selected says which of them count
	 * @return the versions by key
	 */
	static Map<String, Version> versions(List<DynamicKubernetesObject> objects,
			Predicate<DynamicKubernetesObject> selected) {
		Map<String, Version> versions = new TreeMap<>();
		objects.stream().filter(selected).forEach((object) -> versions.put(Version.key(object), Version.of(object)));
		return versions;
	}

	@Override
	public void close() throws ApiException {
		remove(Kind.GADGETS);
		remove(Kind.PARENTS);
		for (String namespace : this.namespaces) {
			this.core.deleteCollectionNamespacedConfigMap(namespace).execute();
			this.core.deleteCollectionNamespacedEvent(namespace).execute();
			this.core.deleteCollectionNamespacedSecret(namespace).execute();
			this.core.deleteCollectionNamespacedServiceAccount(namespace).execute();
			this.core.deleteNamespace(namespace).execute();
		}
	}

	/**
	 * The resources that are written.
	 */
	enum Kind {

		/** Served by the watch cache, and in protobuf. */
		CONFIG_MAPS("", "configmaps", "ConfigMap"),

		/** Served from etcd, so that a compaction expires their versions. */
		EVENTS("", "events", "Event"),

		/** A custom resource, which has JSON only. */
		GADGETS(Gadget.GROUP, "gadgets", "Gadget"),

		/** A custom resource of reconcilers. */
		PARENTS(Gadget.GROUP, "parents", "Parent");

		private final String group;

		private final String plural;

		private final String kind;

		Kind(String group, String plural, String kind) {
			this.group = group;
			this.plural = plural;
			this.kind = kind;
		}

		/**
		 * A new object.
		 * @param namespace the namespace
		 * @param name the name
		 * @param labels the labels
		 * @return the object
		 */
		DynamicKubernetesObject create(String namespace, String name, Map<String, String> labels) {
			JsonObject json = new JsonObject();
			json.addProperty("apiVersion", this.group.isEmpty() ? "v1" : this.group + "/v1");
			json.addProperty("kind", this.kind);
			if (this == EVENTS) {
				json.add("involvedObject",
						JsonParser.parseString("{\"kind\": \"Pod\", \"namespace\": \"" + namespace + "\"}"));
			}
			DynamicKubernetesObject object = new DynamicKubernetesObject(json);
			object.setMetadata(new V1ObjectMeta().namespace(namespace).name(name).labels(labels));
			return object;
		}

		/**
		 * A merge patch that changes some content.
		 * @param value the content
		 * @return JSON
		 */
		String patch(long value) {
			return switch (this) {
				case CONFIG_MAPS -> "{\"data\": {\"value\": \"%d\"}}".formatted(value);
				case EVENTS -> "{\"message\": \"%d\"}".formatted(value);
				case GADGETS, PARENTS -> "{\"value\": %d}".formatted(value);
			};
		}

	}

	/**
	 * The resources of children, one of each reconciler.
	 */
	enum Child {

		/** Children of {@link Replica#LED}. */
		SECRETS("secrets"),

		/** Children of {@link Replica#ALONE}. */
		SERVICE_ACCOUNTS("serviceaccounts");

		private final String plural;

		Child(String plural) {
			this.plural = plural;
		}

	}

}
