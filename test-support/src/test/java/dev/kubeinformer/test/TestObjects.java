package dev.kubeinformer.test;

import java.util.Map;

import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.openapi.models.V1PodSpec;

/**
 * Objects for tests.
 */
final class TestObjects {

	private TestObjects() {
	}

	static V1ConfigMap configMap(String name, String value) {
		return new V1ConfigMap().metadata(new V1ObjectMeta().name(name).namespace("default"))
			.data(Map.of("value", value));
	}

	static V1ConfigMap labelled(String name, String app, String value) {
		V1ConfigMap result = configMap(name, value);
		result.getMetadata().labels(Map.of("app", app));
		return result;
	}

	static V1Pod pod(String namespace, String name) {
		return new V1Pod().metadata(new V1ObjectMeta().name(name).namespace(namespace))
			.spec(new V1PodSpec().nodeName("node-1"));
	}

}
