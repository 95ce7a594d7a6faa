package dev.kubeinformer.benchmark.controller;

import java.util.List;
import java.util.Map;

import tools.jackson.databind.JsonNode;

/** Resource whose objects widgets own, with the desired state. */
enum Children {

	/** The only resource, or the first of three. */
	CONFIG_MAPS("/api/v1", "configmaps", "{\"data\": {\"message\": \"edited\"}}") {

		@Override
		boolean isRight(JsonNode child, int index) {
			Map<String, String> data = Widgets.data(index);
			return child.at("/data").size() == data.size() && data.entrySet()
				.stream()
				.allMatch((entry) -> entry.getValue().equals(child.at("/data/" + entry.getKey()).asString()));
		}

	},

	/** Deployments with a container, for which the API server sets defaults. */
	DEPLOYMENTS("/apis/apps/v1", "deployments", "{\"spec\": {\"replicas\": 7}}") {

		@Override
		boolean isRight(JsonNode child, int index) {
			JsonNode container = child.at("/spec/template/spec/containers/0");
			return child.at("/spec/replicas").asInt() == index % 100 % 3 + 1
					&& child.at("/spec/selector/matchLabels/widget").asString().equals(Widgets.name(index))
					&& container.at("/image").asString().equals(Widgets.IMAGE)
					&& container.at("/env/0/value").asString().equals(Integer.toString(index % 100))
					&& container.at("/ports/0/containerPort").asInt() == 8080
					&& container.at("/resources/requests/cpu").asString().equals("100m")
					&& container.at("/resources/requests/memory").asString().equals("64Mi");
		}

	},

	/** Services without an address. */
	SERVICES("/api/v1", "services", "{\"spec\": {\"selector\": {\"widget\": \"edited\"}}}") {

		@Override
		boolean isRight(JsonNode child, int index) {
			return child.at("/spec/selector/widget").asString().equals(Widgets.name(index))
					&& child.at("/spec/ports").size() == 1 && child.at("/spec/ports/0/port").asInt() == 80
					&& child.at("/spec/ports/0/targetPort").asString().equals("http");
		}

	};

	private final String path;

	private final String edit;

	Children(String api, String resource, String edit) {
		this.path = api + "/namespaces/" + Widgets.NAMESPACE + "/" + resource;
		this.edit = edit;
	}

	/**
	 * Returns the resources of each widget's children.
	 * @param three whether these are more than a ConfigMap
	 * @return the resources
	 */
	static List<Children> of(boolean three) {
		return three ? List.of(values()) : List.of(CONFIG_MAPS);
	}

	String path() {
		return this.path;
	}

	/**
	 * Returns the change by another client.
	 * @return a merge patch
	 */
	String edit() {
		return this.edit;
	}

	/**
	 * Returns whether a child has the state that its widget asks for.
	 * @param child the child
	 * @param index the number of the widget
	 * @return {@code true} if the child has that state
	 */
	abstract boolean isRight(JsonNode child, int index);

}
