package dev.kubeinformer.internal.codec.json;

import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

import dev.kubeinformer.internal.codec.MalformedResponseException;

/**
 * Event of a watch of Leases.
 *
 * @param type the type of the event
 * @param lease the Lease; for a bookmark, only its version is set
 */
public record LeaseWatchEvent(Type type, LeaseDocument lease) {

	/**
	 * Reads an event.
	 * @param json the event in JSON
	 * @return the event
	 * @throws MalformedResponseException if the JSON is not an event of a Lease, for
	 * example an error
	 */
	public static LeaseWatchEvent read(String json) throws MalformedResponseException {
		try {
			JsonNode event = LeaseDocument.JSON.readTree(json);
			Type type = switch (event.path("type").asString("")) {
				case "ADDED", "MODIFIED" -> Type.CHANGED;
				case "DELETED" -> Type.DELETED;
				case "BOOKMARK" -> Type.BOOKMARK;
				default -> throw new MalformedResponseException("The watch of the Leases has failed");
			};
			return new LeaseWatchEvent(type, LeaseDocument.read(event.path("object")));
		}
		catch (JacksonException ex) {
			throw new MalformedResponseException("The event is not JSON", ex);
		}
	}

	/**
	 * Type of an event.
	 */
	public enum Type {

		/** The Lease was created or changed. */
		CHANGED,

		/** The Lease was deleted. */
		DELETED,

		/** All changes up to the version of this bookmark were sent. */
		BOOKMARK

	}

}
