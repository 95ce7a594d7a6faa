package dev.kubeinformer.internal.codec.json;

import java.util.ArrayList;
import java.util.List;

import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

import dev.kubeinformer.internal.codec.MalformedResponseException;

/**
 * List of Leases as JSON.
 *
 * @param leases the Leases
 * @param resourceVersion the version of the list
 */
public record LeaseListDocument(List<LeaseDocument> leases, String resourceVersion) {

	/**
	 * Creates a list.
	 */
	public LeaseListDocument {
		leases = List.copyOf(leases);
	}

	/**
	 * Reads a list.
	 * @param json the list in JSON
	 * @return the list
	 * @throws MalformedResponseException if the JSON is not a complete list of Leases
	 */
	public static LeaseListDocument read(byte[] json) throws MalformedResponseException {
		try {
			JsonNode root = LeaseDocument.JSON.readTree(json);
			JsonNode metadata = root.path("metadata");
			String version = metadata.path("resourceVersion").asString("");
			if (version.isEmpty() || !metadata.path("continue").asString("").isEmpty()) {
				throw new MalformedResponseException("The list of Leases is not complete");
			}
			List<LeaseDocument> leases = new ArrayList<>();
			for (JsonNode item : root.path("items")) {
				leases.add(LeaseDocument.read(item));
			}
			return new LeaseListDocument(leases, version);
		}
		catch (JacksonException ex) {
			throw new MalformedResponseException("The list of Leases is not JSON", ex);
		}
	}

}
