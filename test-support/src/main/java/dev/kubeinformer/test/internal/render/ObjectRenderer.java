package dev.kubeinformer.test.internal.render;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

import tools.jackson.databind.node.ObjectNode;

import dev.kubeinformer.test.internal.fault.Corruptions;
import dev.kubeinformer.test.internal.json.Json;
import dev.kubeinformer.test.internal.request.Query;
import dev.kubeinformer.test.internal.request.Representation;
import dev.kubeinformer.test.internal.resource.ResourceDefinition;
import dev.kubeinformer.test.internal.status.RequestFailure;
import dev.kubeinformer.test.internal.storage.Change;
import dev.kubeinformer.test.internal.storage.PersistedObject;

/**
 * Converts stored objects to the form in which they are served.
 */
public class ObjectRenderer {

	private final Corruptions corruptions;

	public ObjectRenderer(Corruptions corruptions) {
		this.corruptions = corruptions;
	}

	/**
	 * Returns the renderer for one response. The renderer may remember that it has sent
	 * parts such as the columns of a table.
	 * @param wanted the requested form
	 * @param query the query of the request
	 * @return the renderer
	 */
	public final ObjectRenderer in(Representation wanted, Query query) {
		return switch (wanted.form()) {
			case FULL -> (wanted.managedFields()) ? this : new DroppingRenderer(this.corruptions);
			case TABLE -> new TableRenderer(this.corruptions, wanted, query);
			default -> new MetadataRenderer(this.corruptions, wanted);
		};
	}

	// Returns the beginning of a list, up to its first item.
	public byte[] head(ResourceDefinition type, ObjectNode metadata) {
		return head(type.kind() + "List", type.groupVersion(), metadata);
	}

	static byte[] head(String kind, String apiVersion, ObjectNode metadata) {
		ObjectNode list = Json.object().put("kind", kind).put("apiVersion", apiVersion);
		list.set("metadata", metadata);
		return open(list, "items");
	}

	// Returns a document whose last field is an array, which the caller fills and closes.
	static byte[] open(ObjectNode document, String array) {
		byte[] closed = Json.write(document);
		ByteArrayOutputStream out = new ByteArrayOutputStream(closed.length + 16);
		out.write(closed, 0, closed.length - 1);
		out.writeBytes(Json.utf8(",\"" + array + "\":["));
		return out.toByteArray();
	}

	// Returns an object as the item of a list. Only items of custom resources have a kind
	// and an apiVersion.
	public byte[] item(ResourceDefinition type, PersistedObject object) {
		return (type.isCustom()) ? object(type, object) : corrupt(type, object, object.json(type));
	}

	// Returns an object with its kind and apiVersion.
	public byte[] object(ResourceDefinition type, PersistedObject object) {
		return corrupt(type, object, withType(type, object.json(type)));
	}

	// Returns the line of a watch event.
	public byte[] event(Change.Type event, ResourceDefinition type, PersistedObject object) {
		return line(event.name(), object(type, object));
	}

	public byte[] bookmark(ResourceDefinition type, long revision, boolean initialEventsEnd) {
		ObjectNode bookmark = Json.object().put("kind", type.kind()).put("apiVersion", type.groupVersion());
		bookmark.set("metadata", bookmarkMetadata(revision, initialEventsEnd));
		return line("BOOKMARK", Json.write(bookmark));
	}

	public byte[] error(RequestFailure exception) {
		return line("ERROR", Json.write(exception.status()));
	}

	final byte[] corrupt(ResourceDefinition type, PersistedObject object, byte[] json) {
		return this.corruptions.apply(type.resource(), object.key(), json);
	}

	static byte[] withType(ResourceDefinition type, byte[] json) {
		ByteArrayOutputStream out = new ByteArrayOutputStream(json.length + 64);
		out.writeBytes(Json.utf8("{\"kind\":\"" + type.kind() + "\",\"apiVersion\":\"" + type.groupVersion() + "\","));
		out.write(json, 1, json.length - 1);
		return out.toByteArray();
	}

	static ObjectNode bookmarkMetadata(long revision, boolean initialEventsEnd) {
		ObjectNode metadata = Json.object().put("resourceVersion", Long.toString(revision));
		if (initialEventsEnd) {
			metadata.putObject("annotations").put("k8s.io/initial-events-end", "true");
		}
		return metadata;
	}

	static byte[] line(String event, byte[] object) {
		ByteArrayOutputStream out = new ByteArrayOutputStream(object.length + 40);
		out.writeBytes(("{\"type\":\"" + event + "\",\"object\":").getBytes(StandardCharsets.US_ASCII));
		out.writeBytes(object);
		out.write('}');
		out.write('\n');
		return out.toByteArray();
	}

}
