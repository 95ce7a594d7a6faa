package dev.kubeinformer.test.internal.patch;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

import dev.kubeinformer.test.internal.json.Json;
import dev.kubeinformer.test.internal.resource.ResourceDefinition;
import dev.kubeinformer.test.internal.resource.StoredSchema;
import dev.kubeinformer.test.internal.status.RequestFailure;
import dev.kubeinformer.test.internal.status.Statuses;

/**
 * Server-side apply in a simple form.
 * <p>
 * A configuration is merged into the object. Fields that its manager no longer applies,
 * and that no other manager owns, are removed. If a value differs and another manager
 * owns its field, this is a conflict, unless the apply is forced. Managers are recorded
 * from the first apply on, or from the first write whose request names its manager.
 * Fields that were set before belong to the manager "before-first-apply". Values that
 * kube-apiserver fills in do not have an owner.
 */
public final class ServerSideApply {

	// Reads the table of types at the first apply, not at every start.
	private static ApplyMerge merge() {
		return new ApplyMerge(PatchSchema.builtIn());
	}

	/**
	 * Applies a configuration.
	 * @param type its resource
	 * @param live the object, or {@code null} if it does not exist
	 * @param configuration the configuration; fields that a client must not set have been
	 * removed
	 * @param applier the manager that applies the configuration; it does not list fields
	 * yet
	 * @param force {@code true} to override other managers
	 * @return the next state of the object
	 * @throws RequestFailure 409 if there are conflicts
	 */
	public ObjectNode apply(ResourceDefinition type, @Nullable ObjectNode live, ObjectNode configuration,
			FieldManager applier, boolean force) {
		ObjectNode before = (live != null) ? live : Json.object();
		Set<FieldPath> applied = merge().fields(type, configuration);
		List<FieldManager> managers = managers(type, before, applier);
		FieldManager last = managers.stream().filter(applier::isSame).findFirst().orElse(applier);
		List<FieldManager> others = new ArrayList<>(managers);
		others.remove(last);
		ObjectNode next = before.deepCopy();
		merge().merge(type, next, configuration);
		Map<FieldManager, List<FieldPath>> conflicts = conflicts(others, applied, new FieldLookup(before),
				new FieldLookup(next));
		if (!conflicts.isEmpty() && !force) {
			throw conflict(conflicts);
		}
		others.replaceAll((other) -> other.without(new LinkedHashSet<>(conflicts.getOrDefault(other, List.of()))));
		prune(next, last.without(applied).fields(), kept(applied, others));
		StoredSchema schema = type.traits().schema();
		if (schema != null) {
			schema.served().addDefaults(next);
		}
		FieldManager current = (last.fields().equals(applied)) ? last : applier.with(applied);
		List<FieldManager> result = new ArrayList<>();
		FieldLookup fields = new FieldLookup(next);
		others.forEach((other) -> result.add(other.without(gone(other, fields))));
		result.add(current);
		FieldManager.write(result, next);
		return next;
	}

	private List<FieldManager> managers(ResourceDefinition type, ObjectNode live, FieldManager applier) {
		List<FieldManager> managers = FieldManager.read(live);
		if (managers.isEmpty() && !live.isEmpty()) {
			managers.add(new FieldManager("before-first-apply", FieldManager.UPDATE, type.groupVersion(), "",
					applier.time(), merge().fields(type, live)));
		}
		return managers;
	}

	private static Map<FieldManager, List<FieldPath>> conflicts(List<FieldManager> others, Set<FieldPath> applied,
			FieldLookup before, FieldLookup next) {
		Map<FieldManager, List<FieldPath>> conflicts = new LinkedHashMap<>();
		for (FieldManager other : others) {
			List<FieldPath> fields = applied.stream()
				.filter((path) -> other.fields().contains(path) && !path.isItem())
				.filter((path) -> changed(path, before, next))
				.sorted(Comparator.comparingInt((FieldPath path) -> path.elements().size())
					.thenComparing(FieldPath::toString))
				.toList();
			if (!fields.isEmpty()) {
				conflicts.put(other, fields);
			}
		}
		return conflicts;
	}

	private static boolean changed(FieldPath path, FieldLookup before, FieldLookup next) {
		return !Objects.equals(before.find(path), next.find(path));
	}

	private static RequestFailure conflict(Map<FieldManager, List<FieldPath>> conflicts) {
		Map<String, List<FieldPath>> named = new TreeMap<>();
		conflicts.forEach((manager, paths) -> named.put(manager.toString(), paths));
		int count = named.values().stream().mapToInt(List::size).sum();
		String text = named.entrySet()
			.stream()
			.map((entry) -> (count == 1) ? "conflict with " + entry.getKey() + ": " + entry.getValue().get(0)
					: "conflicts with " + entry.getKey() + ":\n- "
							+ entry.getValue().stream().map(FieldPath::toString).collect(Collectors.joining("\n- ")))
			.collect(Collectors.joining("\n"));
		ObjectNode status = Statuses
			.of(409, "Apply failed with " + count + ((count == 1) ? " conflict: " : " conflicts: ") + text)
			.status();
		status.remove("code");
		ArrayNode causes = status.putObject("details").putArray("causes");
		named.forEach((manager,
				paths) -> paths.forEach((path) -> causes.addObject()
					.put("reason", "FieldManagerConflict")
					.put("message", "conflict with " + manager)
					.put("field", path.toString())));
		return new RequestFailure(status.put("code", 409));
	}

	// Returns the fields that any manager sets, with all their parents. A manager may set
	// an empty map, which is a field itself and the parent of fields that are added
	// later.
	private static Set<FieldPath> kept(Set<FieldPath> applied, List<FieldManager> others) {
		Set<FieldPath> kept = FieldPath.withParents(applied);
		others.forEach((other) -> kept.addAll(FieldPath.withParents(other.fields())));
		return kept;
	}

	private static void prune(ObjectNode next, Set<FieldPath> removed, Set<FieldPath> kept) {
		// The lookup may still find a path inside a value that was already removed. This
		// does no harm.
		FieldLookup fields = new FieldLookup(next);
		removed.stream()
			.filter((path) -> !path.isKey() && !kept.contains(path))
			.sorted(Comparator.comparingInt((FieldPath path) -> path.elements().size()))
			.forEach((path) -> path.removeFrom(fields, kept));
	}

	private static Set<FieldPath> gone(FieldManager manager, FieldLookup object) {
		return manager.fields()
			.stream()
			.filter((path) -> object.find(path) == null && !path.isOnlyWritten())
			.collect(Collectors.toCollection(LinkedHashSet::new));
	}

	/**
	 * Records the manager that creates an object in {@code metadata.managedFields}.
	 * @param type its resource
	 * @param object the object, whose {@code metadata.managedFields} this method sets
	 * @param creator the manager; it does not list fields yet
	 */
	public void create(ResourceDefinition type, ObjectNode object, FieldManager creator) {
		FieldManager.write(List.of(creator.with(merge().fields(type, object))), object);
	}

	/**
	 * Records an update or patch of an object in {@code metadata.managedFields}, if the
	 * object has managers.
	 * @param type its resource
	 * @param before the object
	 * @param next its next state, whose {@code metadata.managedFields} this method sets
	 * @param updater the manager of the update; it does not list fields yet
	 * @param named {@code true} to record the updater even if the object has no managers
	 * yet; {@code false} to do nothing in this case
	 */
	public void update(ResourceDefinition type, ObjectNode before, ObjectNode next, FieldManager updater,
			boolean named) {
		JsonNode given = next.path("metadata").path("managedFields");
		boolean reset = given.isArray() && (given.isEmpty() || (given.size() == 1 && given.get(0).isEmpty()));
		if (reset) {
			FieldManager.write(List.of(), next);
			return;
		}
		List<FieldManager> managers = given(before, next, updater);
		if (!named && managers.stream().allMatch((manager) -> manager.fields().isEmpty())) {
			if (given.isMissingNode() && before.path("metadata").has("managedFields")) {
				next.withObject("metadata").set("managedFields", before.path("metadata").get("managedFields"));
			}
			return;
		}
		FieldLookup was = new FieldLookup(before);
		FieldLookup fields = new FieldLookup(next);
		Set<FieldPath> changed = merge().fields(type, next)
			.stream()
			.filter((path) -> (path.isItem()) ? was.find(path) == null : changed(path, was, fields))
			.collect(Collectors.toCollection(LinkedHashSet::new));
		FieldManager own = managers.stream().filter(updater::isSame).findFirst().orElse(updater);
		managers.remove(own);
		managers.replaceAll((manager) -> manager.without(changed).without(gone(manager, fields)));
		FieldManager current = (own.fields().containsAll(changed)) ? own : updater.with(own.fields()).with(changed);
		managers.add(current.without(gone(current, fields)));
		FieldManager.write(managers, next);
	}

	// Returns the managers in the request, or the stored managers if the request has none
	// or is for a subresource (decodeLiveOrNew of
	// k8s.io/apimachinery/pkg/util/managedfields).
	private static List<FieldManager> given(ObjectNode before, ObjectNode next, FieldManager updater) {
		List<FieldManager> given = updater.subresource().isEmpty() ? FieldManager.read(next) : List.of();
		return given.stream().allMatch((manager) -> manager.fields().isEmpty()) ? FieldManager.read(before) : given;
	}

}
