package dev.kubeinformer.test.internal.render;

import tools.jackson.databind.node.ObjectNode;

import dev.kubeinformer.test.internal.fault.Corruptions;
import dev.kubeinformer.test.internal.json.Json;
import dev.kubeinformer.test.internal.request.Representation;
import dev.kubeinformer.test.internal.resource.ResourceDefinition;
import dev.kubeinformer.test.internal.status.Statuses;
import dev.kubeinformer.test.internal.storage.PersistedObject;

/**
 * Serves only the metadata of objects (PartialObjectMetadata).
 */
final class MetadataRenderer extends ObjectRenderer {

	private final Representation wanted;

	MetadataRenderer(Corruptions corruptions, Representation wanted) {
		super(corruptions);
		this.wanted = wanted;
	}

	@Override
	public byte[] head(ResourceDefinition type, ObjectNode metadata) {
		if (this.wanted.form() != Representation.Form.METADATA_LIST) {
			throw Statuses.notConvertible("you requested PartialObjectMetadata, but the requested object is a list ("
					+ goType(type) + "List)");
		}
		return head("PartialObjectMetadataList", this.wanted.apiVersion(), metadata);
	}

	@Override
	public byte[] item(ResourceDefinition type, PersistedObject object) {
		return corrupt(type, object, Json.write(partial(object.tree(), this.wanted)));
	}

	@Override
	public byte[] object(ResourceDefinition type, PersistedObject object) {
		if (this.wanted.form() == Representation.Form.METADATA_LIST) {
			throw Statuses
				.notConvertible("you requested PartialObjectMetadataList, but the requested object is not a list ("
						+ goType(type) + ")");
		}
		return item(type, object);
	}

	@Override
	public byte[] bookmark(ResourceDefinition type, long revision, boolean initialEventsEnd) {
		ObjectNode bookmark = Json.object();
		bookmark.set("metadata", bookmarkMetadata(revision, initialEventsEnd));
		return line("BOOKMARK", Json.write(partial(bookmark, this.wanted)));
	}

	static ObjectNode partial(ObjectNode object, Representation wanted) {
		ObjectNode partial = Json.object().put("kind", "PartialObjectMetadata").put("apiVersion", wanted.apiVersion());
		ObjectNode metadata = object.withObject("metadata");
		if (!wanted.managedFields()) {
			metadata.remove("managedFields");
		}
		partial.set("metadata", metadata);
		return partial;
	}

	// Name of the type in kube-apiserver's own code.
	private static String goType(ResourceDefinition type) {
		if (type.isCustom()) {
			return "*unstructured.Unstructured";
		}
		return "*" + ((type.group().isEmpty()) ? "core" : type.group().split("\\.", 2)[0]) + "." + type.kind();
	}

}
