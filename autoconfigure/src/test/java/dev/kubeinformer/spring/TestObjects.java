package dev.kubeinformer.spring;

import java.util.Map;

import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1Node;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Pod;

/**
 * Objects for tests.
 */
public final class TestObjects {

	private TestObjects() {
	}

	public static V1Pod pod(String namespace, String name) {
		return new V1Pod().metadata(metadata(name).namespace(namespace));
	}

	public static V1Pod pod(String namespace, String name, Map<String, String> labels) {
		return new V1Pod().metadata(metadata(name).namespace(namespace).labels(labels));
	}

	public static V1Node node(String name) {
		return new V1Node().metadata(metadata(name));
	}

	public static V1ConfigMap configMap(String namespace, String name) {
		return new V1ConfigMap().metadata(metadata(name).namespace(namespace));
	}

	private static V1ObjectMeta metadata(String name) {
		return new V1ObjectMeta().name(name);
	}

}
