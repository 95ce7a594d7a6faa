package dev.kubeinformer.test.internal.render;

import java.util.List;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

import dev.kubeinformer.test.internal.fault.Corruptions;
import dev.kubeinformer.test.internal.json.Json;
import dev.kubeinformer.test.internal.request.Query;
import dev.kubeinformer.test.internal.request.Representation;
import dev.kubeinformer.test.internal.resource.ResourceDefinition;
import dev.kubeinformer.test.internal.status.Statuses;
import dev.kubeinformer.test.internal.storage.PersistedObject;
import dev.kubeinformer.test.internal.table.TableColumn;

/**
 * Serves objects as rows of a table, which kubectl prints. The columns are sent once in a
 * response.
 */
final class TableRenderer extends ObjectRenderer {

	private static final List<String> INCLUDES = List.of("", "Metadata", "Object", "None");

	private final Representation wanted;

	private final String include;

	private boolean columnsSent;

	TableRenderer(Corruptions corruptions, Representation wanted, Query query) {
		super(corruptions);
		this.wanted = wanted;
		this.include = query.text("includeObject");
		if (!INCLUDES.contains(this.include)) {
			throw Statuses.badRequest("Unable to convert to Table as requested: includeObject: Invalid value: \""
					+ this.include + "\": must be 'Metadata', 'Object', 'None', or empty");
		}
	}

	@Override
	public byte[] head(ResourceDefinition type, ObjectNode metadata) {
		ObjectNode table = Json.object().put("kind", "Table").put("apiVersion", this.wanted.apiVersion());
		table.set("metadata", metadata);
		table.set("columnDefinitions", columns(type));
		return open(table, "rows");
	}

	@Override
	public byte[] item(ResourceDefinition type, PersistedObject object) {
		return corrupt(type, object, Json.write(row(type, object.tree(type), type)));
	}

	@Override
	public byte[] object(ResourceDefinition type, PersistedObject object) {
		ObjectNode metadata = Json.object().put("resourceVersion", Long.toString(object.revision()));
		return corrupt(type, object, Json.write(table(type, metadata, object.tree(type), type)));
	}

	@Override
	public byte[] bookmark(ResourceDefinition type, long revision, boolean initialEventsEnd) {
		ObjectNode bookmark = Json.object();
		bookmark.set("metadata", bookmarkMetadata(revision, initialEventsEnd));
		ObjectNode metadata = Json.object().put("resourceVersion", Long.toString(revision));
		return line("BOOKMARK", Json.write(table(type, metadata, bookmark, null)));
	}

	private ObjectNode table(ResourceDefinition type, ObjectNode metadata, ObjectNode object,
			@Nullable ResourceDefinition kind) {
		ObjectNode table = Json.object().put("kind", "Table").put("apiVersion", this.wanted.apiVersion());
		table.set("metadata", metadata);
		table.set("columnDefinitions", (this.columnsSent) ? null : columns(type));
		this.columnsSent = true;
		table.putArray("rows").add(row(type, object, kind));
		return table;
	}

	private static ArrayNode columns(ResourceDefinition type) {
		ArrayNode columns = Json.object().putArray("columns");
		columnsOf(type).forEach((column) -> columns.add(column.definition()));
		return columns;
	}

	private static List<TableColumn> columnsOf(ResourceDefinition type) {
		return TableColumn.of(type.traits().columns());
	}

	private ObjectNode row(ResourceDefinition type, ObjectNode object, @Nullable ResourceDefinition kind) {
		ObjectNode row = Json.object();
		ArrayNode cells = row.putArray("cells");
		columnsOf(type).forEach((column) -> cells.addPOJO(column.cell(object)));
		row.set("object", included(object, kind));
		return row;
	}

	private @Nullable JsonNode included(ObjectNode object, @Nullable ResourceDefinition kind) {
		if ("None".equals(this.include)) {
			return null;
		}
		if (!"Object".equals(this.include) || kind == null) {
			return MetadataRenderer.partial(object, this.wanted);
		}
		ObjectNode whole = Json.object().put("kind", kind.kind()).put("apiVersion", kind.groupVersion());
		whole.setAll(object);
		return whole;
	}

}
