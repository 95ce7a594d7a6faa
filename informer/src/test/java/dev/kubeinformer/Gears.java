package dev.kubeinformer;

import java.time.Duration;
import java.util.List;
import java.util.Map;

import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.openapi.apis.ApiextensionsV1Api;
import io.kubernetes.client.openapi.apis.CustomObjectsApi;

import static org.awaitility.Awaitility.await;

/**
 * A custom resource of a test's own on a real API server, without a class.
 */
final class Gears {

	static final String PLURAL = "gears";

	private final ApiClient admin;

	private final CustomObjectsApi custom;

	private final String group;

	private final String namespace;

	/**
	 * Creates the resource.
	 * @param admin who may do everything
	 * @param group the API group, of the test alone
	 * @param namespace the namespace of the objects, which exists
	 */
	Gears(ApiClient admin, String group, String namespace) throws ApiException {
		this.admin = admin;
		this.custom = new CustomObjectsApi(admin);
		this.group = group;
		this.namespace = namespace;
		this.custom.createClusterCustomObject("apiextensions.k8s.io", "v1", "customresourcedefinitions", definition())
			.execute();
		await().atMost(Duration.ofSeconds(60)).ignoreExceptions().until(() -> isCreated("first"));
	}

	// The model of a definition writes fields that the API server refuses.
	private Map<String, Object> definition() {
		Map<String, Object> schema = Map.of("type", "object", "x-kubernetes-preserve-unknown-fields", true);
		Map<String, Object> version = Map.of("name", "v1", "served", true, "storage", true, "schema",
				Map.of("openAPIV3Schema", schema));
		return Map.of("apiVersion", "apiextensions.k8s.io/v1", "kind", "CustomResourceDefinition", "metadata",
				Map.of("name", PLURAL + "." + this.group), "spec",
				Map.of("group", this.group, "scope", "Namespaced", "names",
						Map.of("plural", PLURAL, "singular", "gear", "kind", "Gear", "listKind", "GearList"),
						"versions", List.of(version)));
	}

	Object create(String name) throws ApiException {
		return this.custom
			.createNamespacedCustomObject(this.group, "v1", this.namespace, PLURAL,
					Map.of("apiVersion", this.group + "/v1", "kind", "Gear", "metadata",
							Map.of("name", name, "labels", Map.of("of", PLURAL)), "spec", Map.of("teeth", 12)))
			.execute();
	}

	private boolean isCreated(String name) throws ApiException {
		try {
			return create(name) != null;
		}
		catch (ApiException ex) {
			if (ex.getCode() == 409) {
				// The answer to an earlier attempt may have been lost.
				return true;
			}
			throw ex;
		}
	}

	void remove() throws ApiException {
		new ApiextensionsV1Api(this.admin).deleteCustomResourceDefinition(PLURAL + "." + this.group).execute();
	}

}
