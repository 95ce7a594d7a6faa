package dev.kubeinformer.test.internal.patch;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

import dev.kubeinformer.test.internal.resource.ResourceDefinition;
import dev.kubeinformer.test.internal.resource.StoredSchema;
import dev.kubeinformer.test.internal.schema.CustomSchema;

/**
 * Patch metadata of the built-in types from the OpenAPI document of Kubernetes: lists
 * that are merged by keys, and fields that are replaced as a whole.
 */
public final class PatchSchema {

	private static final String TABLE = "built-in-patch-types.txt";

	private static final String METADATA = "meta.v1.ObjectMeta";

	private static final PatchSchema BUILT_IN = load();

	private final Map<String, String> kinds = new HashMap<>();

	private final Set<String> groups = new HashSet<>();

	private final Map<String, Shape> fields = new HashMap<>();

	private PatchSchema() {
	}

	public static PatchSchema builtIn() {
		return BUILT_IN;
	}

	private static PatchSchema load() {
		PatchSchema schema = new PatchSchema();
		InputStream table = Objects.requireNonNull(PatchSchema.class.getResourceAsStream(TABLE), TABLE);
		try (BufferedReader reader = new BufferedReader(new InputStreamReader(table, StandardCharsets.UTF_8))) {
			reader.lines().filter((line) -> !line.startsWith("#")).forEach(schema::add);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		return schema;
	}

	private void add(String line) {
		String[] columns = line.split(" ");
		if ("kind".equals(columns[0])) {
			this.kinds.put(columns[1] + " " + columns[2], columns[3]);
			this.groups.add((columns[1].contains("/")) ? columns[1].split("/", 2)[0] : "");
			return;
		}
		this.fields.put(columns[0] + " " + columns[1], Shape.parse(columns));
	}

	/**
	 * Returns whether a resource is a built-in one.
	 * @param type the resource
	 * @return {@code true} if the resource supports strategic merge patches
	 */
	public boolean knows(ResourceDefinition type) {
		return this.groups.contains(type.group());
	}

	Shape root(ResourceDefinition type) {
		StoredSchema schema = type.traits().schema();
		if (schema != null) {
			return Shape.customRoot(schema.served().source());
		}
		return Shape.of(this.kinds.getOrDefault(type.groupVersion() + " " + type.kind(), ""));
	}

	Shape child(Shape parent, String field) {
		if (parent.schema() != null) {
			return (parent.root() && "metadata".equals(field)) ? Shape.of(METADATA)
					: Shape.custom(CustomSchema.field(parent.schema(), field));
		}
		Shape child = this.fields.get(parent.type() + " " + field);
		if (child != null) {
			return child;
		}
		boolean metadata = "metadata".equals(field) && !parent.type().startsWith("meta.");
		return (metadata) ? Shape.of(METADATA) : Shape.PLAIN;
	}

	/**
	 * Treatment of a list by server-side apply.
	 */
	enum ListType {

		ATOMIC, SET, MAP

	}

	/**
	 * Rules for merging a patch into a field.
	 *
	 * @param type the type of the object, or of the items of a list, empty if the type
	 * does not matter
	 * @param list the treatment of the list by server-side apply
	 * @param keys the fields that identify an item for server-side apply, with their
	 * defaults, empty for none
	 * @param merged whether a strategic merge patch merges the list
	 * @param mergeKey the field that identifies an item for a strategic merge patch
	 * @param atomic whether the object is replaced as a whole
	 * @param schema the schema of the field in a custom resource, or of its items if it
	 * is a list; {@code null} for a built-in resource
	 * @param root whether this describes a complete object instead of a field
	 */
	record Shape(String type, ListType list, Map<String, String> keys, boolean merged, @Nullable String mergeKey,
			boolean atomic, @Nullable JsonNode schema, boolean root) {

		static final Shape PLAIN = of("");

		static Shape of(String type) {
			return new Shape(type, ListType.ATOMIC, Map.of(), false, null, false, null, false);
		}

		static Shape customRoot(JsonNode schema) {
			return new Shape("", ListType.ATOMIC, Map.of(), false, null, false, schema, true);
		}

		// Returns the shape of a field that a structural schema describes or leaves open.
		static Shape custom(JsonNode schema) {
			ListType list = switch (schema.path("x-kubernetes-list-type").asString("")) {
				case "set" -> ListType.SET;
				case "map" -> ListType.MAP;
				default -> ListType.ATOMIC;
			};
			Map<String, String> keys = new TreeMap<>();
			schema.path("x-kubernetes-list-map-keys").forEach((key) -> {
				JsonNode item = CustomSchema.field(schema.path("items"), key.asString(""));
				keys.put(key.asString(""), item.path("default").asString(""));
			});
			boolean atomic = "atomic".equals(schema.path("x-kubernetes-map-type").asString(""));
			return new Shape("", list, keys, false, null, atomic, schema.has("items") ? schema.path("items") : schema,
					false);
		}

		private static Shape parse(String[] columns) {
			ListType list = ListType.ATOMIC;
			Map<String, String> keys = new TreeMap<>();
			boolean merged = false;
			String mergeKey = null;
			boolean atomic = false;
			for (String flag : List.of(columns).subList(3, columns.length)) {
				String[] parts = flag.split("=", 2);
				switch (parts[0]) {
					case "list" -> list = ("map".equals(parts[1])) ? ListType.MAP : ListType.SET;
					case "keys" -> {
						for (String key : parts[1].split(",")) {
							String[] keyAndDefault = key.split("=", 2);
							keys.put(keyAndDefault[0], (keyAndDefault.length > 1) ? keyAndDefault[1] : "");
						}
					}
					case "merge" -> {
						merged = true;
						mergeKey = (parts.length > 1) ? parts[1] : null;
					}
					default -> atomic |= "atomic".equals(flag);
				}
			}
			return new Shape(("-".equals(columns[2])) ? "" : columns[2], list, keys, merged, mergeKey, atomic, null,
					false);
		}

	}

}
