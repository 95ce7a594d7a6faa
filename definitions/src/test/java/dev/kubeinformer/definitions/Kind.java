package dev.kubeinformer.definitions;

import com.google.gson.JsonParser;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.JSON;
import io.kubernetes.client.openapi.models.V1CustomResourceDefinitionVersion;
import io.kubernetes.client.openapi.models.V1JSONSchemaProps;
import io.kubernetes.client.openapi.models.V1ObjectMeta;

/**
 * Base of the classes that tests define.
 */
abstract class Kind implements KubernetesObject {

	private String apiVersion;

	private String kind;

	private V1ObjectMeta metadata;

	@Override
	public V1ObjectMeta getMetadata() {
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

	static V1CustomResourceDefinitionVersion version(Class<?> type) {
		return CustomResourceDefinitions.of(type).all().get(0).getSpec().getVersions().get(0);
	}

	static V1JSONSchemaProps schema(Class<?> type) {
		return version(type).getSchema().getOpenAPIV3Schema();
	}

	/**
	 * Returns the schema of a field as JSON.
	 */
	static String json(Class<?> type, String... path) {
		V1JSONSchemaProps schema = schema(type);
		for (String name : path) {
			schema = name.equals("[]") ? (V1JSONSchemaProps) schema.getItems() : name.equals("*")
					? (V1JSONSchemaProps) schema.getAdditionalProperties() : schema.getProperties().get(name);
		}
		return JsonParser.parseString(JSON.serialize(schema)).toString();
	}

}
