package dev.kubeinformer.internal.codec.json;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

import org.jspecify.annotations.Nullable;

/**
 * Result of an upgrade from create and update requests to server-side apply: the changed
 * managed fields of an object ({@code metadata.managedFields}). Fields that creates and
 * updates have set are moved to the entry of applies. Without the upgrade, fields that
 * the same manager has created or updated would stay forever, because server-side apply
 * only removes fields of its own entry (kubernetes/kubernetes#99003). The rules are the
 * same as in client-go's {@code util/csaupgrade}: the fields of entries with the
 * operation {@code Update} and without a subresource become fields of the entry with the
 * operation {@code Apply}. Entries of another version of the resource are dropped,
 * because their paths may have another meaning.
 * <p>
 * Unlike in client-go, finalizers and the status are not moved. Another reconciler may
 * have added a finalizer under the same name, and an apply that does not contain the
 * finalizer would remove it. An apply of a reconciler never names a status.
 *
 * @param managedFields the entries
 * @param gained {@code true} if fields were added to the entry of applies. The next apply
 * removes each added field that it does not contain
 */
public record ManagedFieldsUpgrade(List<Object> managedFields, boolean gained) {

	private static final String MANAGER = "manager";

	private static final String OPERATION = "operation";

	private static final String API_VERSION = "apiVersion";

	private static final String FIELDS = "fieldsV1";

	/**
	 * Name of a child node. It means that the parent node itself is a managed field, in
	 * addition to fields in it.
	 */
	private static final String SELF = ".";

	private static final String METADATA = "f:metadata";

	private static final String FINALIZERS = "f:finalizers";

	private static final String STATUS = "f:status";

	/**
	 * Upgrades the managed fields of an object.
	 * @param managedFields the entries as the API server returned them
	 * @param applier the field manager of applies
	 * @param updaters the field managers whose created and updated fields are moved
	 * @return the upgraded managed fields; {@code null} if there is nothing to move
	 */
	public static @Nullable ManagedFieldsUpgrade of(List<?> managedFields, String applier, Set<String> updaters) {
		if (!isAnyTaken(managedFields, updaters)) {
			return null;
		}
		List<Map<String, Object>> entries = entries(managedFields);
		Map<String, Object> target = entries.stream()
			.filter((entry) -> isEntry(entry, "Apply") && applier.equals(entry.get(MANAGER)))
			.findFirst()
			.orElse(null);
		Map<String, Object> before = (target != null) ? map(target.get(FIELDS)) : Map.of();
		// The newest entry comes first.
		Object version = (target != null) ? target.get(API_VERSION)
				: entries.stream()
					.filter((entry) -> isTaken(entry, updaters))
					.findFirst()
					.map((entry) -> entry.get(API_VERSION))
					.orElse(null);
		List<Object> upgraded = new ArrayList<>();
		Map<String, Object> fields = before;
		for (Map<String, Object> entry : entries) {
			if (!isTaken(entry, updaters)) {
				upgraded.add(entry);
				continue;
			}
			if (Objects.equals(version, entry.get(API_VERSION))) {
				fields = union(fields, taken(map(entry.get(FIELDS))));
				target = (target != null) ? target : appended(upgraded, entry);
			}
			Map<String, Object> left = left(map(entry.get(FIELDS)));
			if (!left.isEmpty()) {
				upgraded.add(with(entry, left));
			}
		}
		Map<String, Object> applied = with(Objects.requireNonNull(target), fields);
		applied.put(MANAGER, applier);
		applied.put(OPERATION, "Apply");
		upgraded.set(upgraded.indexOf(target), applied);
		return new ManagedFieldsUpgrade(upgraded, !fields.equals(before));
	}

	private static Map<String, Object> appended(List<Object> entries, Map<String, Object> entry) {
		entries.add(entry);
		return entry;
	}

	// Another format, which a later version of Kubernetes may introduce, is not changed.
	private static List<Map<String, Object>> entries(List<?> managedFields) {
		List<Map<String, Object>> entries = new ArrayList<>();
		managedFields.forEach((entry) -> entries.add(map(entry)));
		return entries;
	}

	// Most objects have nothing to move, so this does not copy their entries first.
	private static boolean isAnyTaken(List<?> managedFields, Set<String> updaters) {
		for (Object entry : managedFields) {
			if (isTaken(map(entry), updaters)) {
				return true;
			}
		}
		return false;
	}

	private static boolean isTaken(Map<String, Object> entry, Set<String> updaters) {
		return isEntry(entry, "Update") && entry.get(MANAGER) instanceof String name && updaters.contains(name)
				&& !taken(map(entry.get(FIELDS))).isEmpty();
	}

	private static boolean isEntry(Map<String, Object> entry, String operation) {
		return operation.equals(entry.get(OPERATION)) && "".equals(entry.getOrDefault("subresource", ""))
				&& "FieldsV1".equals(entry.get("fieldsType"));
	}

	private static Map<String, Object> taken(Map<String, Object> fields) {
		Map<String, Object> taken = new LinkedHashMap<>(fields);
		taken.remove(STATUS);
		Map<String, Object> metadata = new LinkedHashMap<>(map(fields.get(METADATA)));
		if (metadata.remove(FINALIZERS) != null) {
			taken.put(METADATA, metadata);
			if (metadata.isEmpty()) {
				taken.remove(METADATA);
			}
		}
		return taken;
	}

	private static Map<String, Object> left(Map<String, Object> fields) {
		Map<String, Object> left = new LinkedHashMap<>();
		Object finalizers = map(fields.get(METADATA)).get(FINALIZERS);
		if (finalizers != null) {
			left.put(METADATA, Map.of(FINALIZERS, finalizers));
		}
		if (fields.containsKey(STATUS)) {
			left.put(STATUS, fields.get(STATUS));
		}
		return left;
	}

	private static Map<String, Object> with(Map<String, Object> entry, Map<String, Object> fields) {
		Map<String, Object> changed = new LinkedHashMap<>(entry);
		changed.put(FIELDS, fields);
		return changed;
	}

	/**
	 * Merges two trees of managed fields. The path to a node is a managed field if the
	 * node is empty or has a child {@code .}.
	 */
	private static Map<String, Object> union(Map<String, Object> one, Map<String, Object> other) {
		Map<String, Object> union = new LinkedHashMap<>(one);
		other.forEach((name, node) -> {
			Object present = one.get(name);
			union.put(name, (present != null) ? nodes(map(present), map(node)) : node);
		});
		return union;
	}

	private static Map<String, Object> nodes(Map<String, Object> one, Map<String, Object> other) {
		if (one.isEmpty() == other.isEmpty()) {
			return union(one, other);
		}
		Map<String, Object> union = new LinkedHashMap<>(one.isEmpty() ? other : one);
		union.putIfAbsent(SELF, Map.of());
		return union;
	}

	@SuppressWarnings("unchecked") // The names in a tree are strings.
	private static Map<String, Object> map(@Nullable Object value) {
		return (value instanceof Map<?, ?> map) ? (Map<String, Object>) map : Map.of();
	}

}
