package dev.kubeinformer.benchmark.controller;

import java.util.List;
import java.util.Map;

/** Objects of the comparison in their written form. */
final class Widgets {

	static final String NAMESPACE = "controller-benchmark";

	static final String IMAGE = "registry.example.com/web:1.0";

	private static final String DEFINITION = """
			{"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
			 "metadata": {"name": "widgets.example.com"},
			 "spec": {"group": "example.com", "scope": "Namespaced",
			  "names": {"plural": "widgets", "singular": "widget", "kind": "Widget", "listKind": "WidgetList"},
			  "versions": [{"name": "v1", "served": true, "storage": true, "schema": {"openAPIV3Schema": {
			   "type": "object", "properties": {"spec": {"type": "object", "properties": {
			    "size": {"type": "integer"}, "message": {"type": "string"}}}}}}}]}}
			""";

	private Widgets() {
	}

	static String definition() {
		return DEFINITION;
	}

	static String namespace() {
		return """
				{"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "%s"}}""".formatted(NAMESPACE);
	}

	static String name(int index) {
		return "widget-%05d".formatted(index);
	}

	static String widget(int index) {
		return """
				{"apiVersion": "example.com/v1", "kind": "Widget", "metadata": {"name": "%s", "namespace": "%s"},
				 "spec": {"size": %d, "message": "%s"}}""".formatted(name(index), NAMESPACE, index % 100,
				message(index));
	}

	static String message(int index) {
		return "widget number %d asks for a ConfigMap that says so".formatted(index);
	}

	static Map<String, String> data(int size, String message) {
		return Map.of("size", Integer.toString(size), "message", message);
	}

	static Map<String, String> data(int index) {
		return data(index % 100, message(index));
	}

	static Map<String, String> labels() {
		return Map.of("app", "widget");
	}

	/**
	 * Returns the ConfigMap of a widget, for programs without a controller.
	 * @param index the number of the widget
	 * @param uid the UID of its owner
	 * @return the JSON
	 */
	static String configMap(int index, String uid) {
		return """
				{"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "%1$s", "namespace": "%2$s",
				 "labels": {"app": "widget"}, "ownerReferences": [{"apiVersion": "example.com/v1", "kind": "Widget",
				 "name": "%1$s", "uid": "%3$s", "controller": true, "blockOwnerDeletion": true}]},
				 "data": {"size": "%4$d", "message": "%5$s"}}""".formatted(name(index), NAMESPACE, uid, index % 100,
				message(index));
	}

	/**
	 * Returns the resources whose requests count: no other client uses them, and the
	 * server itself hardly does.
	 * @return the plural names
	 */
	static List<String> counted() {
		return List.of("widgets", "configmaps", "deployments", "services", "events", "customresourcedefinitions");
	}

}
