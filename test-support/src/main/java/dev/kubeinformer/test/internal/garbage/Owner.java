package dev.kubeinformer.test.internal.garbage;

import java.util.ArrayList;
import java.util.List;

import tools.jackson.databind.JsonNode;

/**
 * An ownerReference.
 *
 * @param apiVersion the group and version of the owner
 * @param kind its kind
 * @param name its name
 * @param uid its UID
 * @param blocking whether the owner waits until the dependent is deleted ({@code
 * blockOwnerDeletion})
 */
record Owner(String apiVersion, String kind, String name, String uid, boolean blocking) {

	static List<Owner> of(JsonNode metadata) {
		List<Owner> owners = new ArrayList<>();
		metadata.path("ownerReferences")
			.forEach((reference) -> owners.add(new Owner(reference.path("apiVersion").asString(""),
					reference.path("kind").asString(""), reference.path("name").asString(""),
					reference.path("uid").asString(""), reference.path("blockOwnerDeletion").asBoolean(false))));
		return List.copyOf(owners);
	}

}
