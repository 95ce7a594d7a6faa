package dev.kubeinformer.test;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

import tools.jackson.databind.node.ObjectNode;

/**
 * Stored objects as they are served.
 */
final class ObjectRenderer {

	private final Corruptions corruptions;

	ObjectRenderer(Corruptions corruptions) {
		this.corruptions = corruptions;
	}

	// An object as the item of a list, which has neither kind nor apiVersion.
	byte[] item(ResourceDefinition type, StoredObject object) {
		return this.corruptions.apply(type.resource(), object.key(), object.json());
	}

	// An object on its own.
	byte[] object(ResourceDefinition type, StoredObject object) {
		ByteArrayOutputStream out = new ByteArrayOutputStream(object.json().length + 64);
		out.writeBytes(Json.utf8("{\"kind\":\"" + type.kind() + "\",\"apiVersion\":\"" + type.groupVersion() + "\","));
		out.write(object.json(), 1, object.json().length - 1);
		return this.corruptions.apply(type.resource(), object.key(), out.toByteArray());
	}

	// The line of a watch event.
	byte[] event(Change.Type event, ResourceDefinition type, StoredObject object) {
		return line(event.name(), object(type, object));
	}

	byte[] bookmark(ResourceDefinition type, long revision, boolean initialEventsEnd) {
		ObjectNode bookmark = Json.object().put("kind", type.kind()).put("apiVersion", type.groupVersion());
		ObjectNode metadata = bookmark.putObject("metadata").put("resourceVersion", Long.toString(revision));
		if (initialEventsEnd) {
			metadata.putObject("annotations").put("k8s.io/initial-events-end", "true");
		}
		return line("BOOKMARK", Json.write(bookmark));
	}

	byte[] error(StatusException exception) {
		return line("ERROR", Json.write(exception.status()));
	}

	private static byte[] line(String event, byte[] object) {
		ByteArrayOutputStream out = new ByteArrayOutputStream(object.length + 40);
		out.writeBytes(("{\"type\":\"" + event + "\",\"object\":").getBytes(StandardCharsets.US_ASCII));
		out.writeBytes(object);
		out.write('}');
		out.write('\n');
		return out.toByteArray();
	}

}
