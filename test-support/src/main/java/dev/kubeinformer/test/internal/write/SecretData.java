package dev.kubeinformer.test.internal.write;

import java.util.Base64;

import tools.jackson.databind.node.ObjectNode;

import dev.kubeinformer.test.internal.json.Json;
import dev.kubeinformer.test.internal.resource.GroupResource;
import dev.kubeinformer.test.internal.resource.ResourceDefinition;

/**
 * Handles the write-only field {@code stringData} of Secrets: its values are stored in
 * {@code data} (pkg/apis/core/v1/conversion.go of kubernetes/kubernetes).
 */
final class SecretData {

	private static final GroupResource SECRETS = new GroupResource("", "secrets");

	private static final String TEXTS = "stringData";

	private SecretData() {
	}

	static void normalize(ResourceDefinition type, ObjectNode object) {
		if (!SECRETS.equals(type.resource()) || !(object.get(TEXTS) instanceof ObjectNode texts)) {
			return;
		}
		object.remove(TEXTS);
		if (!texts.isEmpty()) {
			ObjectNode data = object.withObjectProperty("data");
			texts.properties()
				.forEach((text) -> data.put(text.getKey(),
						Base64.getEncoder().encodeToString(Json.utf8(text.getValue().asString("")))));
		}
	}

}
