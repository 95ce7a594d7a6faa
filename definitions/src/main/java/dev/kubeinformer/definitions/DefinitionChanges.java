package dev.kubeinformer.definitions;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.kubernetes.client.openapi.models.V1CustomResourceDefinition;
import org.jspecify.annotations.Nullable;

/**
 * Differences between CustomResourceDefinitions, divided into those that can break stored
 * objects or clients, and compatible ones. A change is breaking in three cases: the new
 * definition rejects an object that the old one accepts; such an object loses fields; or
 * a request that succeeds with the old definition fails. Immutable and thread-safe.
 */
public final class DefinitionChanges {

	private final List<DefinitionChange> all;

	private DefinitionChanges(List<DefinitionChange> all) {
		this.all = List.copyOf(all);
	}

	/**
	 * Compares two states of one definition.
	 * @param before the old definition. Its {@code status.storedVersions}, if present,
	 * tells which versions may have stored objects
	 * @param after the new definition
	 * @return the differences
	 */
	public static DefinitionChanges between(V1CustomResourceDefinition before, V1CustomResourceDefinition after) {
		return new DefinitionChanges(DefinitionComparison.of(DefinitionTrees.of(before), DefinitionTrees.of(after)));
	}

	/**
	 * Compares two sets of definitions. Definitions are matched by name, or by group and
	 * kind if only the plural name differs.
	 * @param before the old definitions
	 * @param after the new definitions
	 * @return the differences
	 */
	public static DefinitionChanges between(Collection<V1CustomResourceDefinition> before,
			Collection<V1CustomResourceDefinition> after) {
		return ofTrees(before.stream().map(DefinitionTrees::of).toList(),
				after.stream().map(DefinitionTrees::of).toList());
	}

	/**
	 * Compares two files of definitions. Other objects in them are ignored.
	 * @param before the YAML or JSON documents of the old definitions
	 * @param after the YAML or JSON documents of the new definitions
	 * @return the differences
	 * @throws IllegalArgumentException if a text is not YAML
	 */
	public static DefinitionChanges between(String before, String after) {
		return ofTrees(DefinitionTrees.read(before), DefinitionTrees.read(after));
	}

	private static DefinitionChanges ofTrees(List<Map<String, Object>> before, List<Map<String, Object>> after) {
		List<DefinitionChange> changes = new ArrayList<>();
		Map<String, Map<String, Object>> left = byName(after);
		byName(before).forEach((name, old) -> {
			Map<String, Object> matching = left.remove(name);
			if (matching == null) {
				matching = ofSameKind(old, left);
			}
			changes.addAll((matching != null) ? DefinitionComparison.of(old, matching)
					: List.of(DefinitionComparison.removed(name)));
		});
		left.keySet().forEach((name) -> changes.add(new DefinitionChange(name, null, "", "was added", false, "")));
		return new DefinitionChanges(changes);
	}

	private static @Nullable Map<String, Object> ofSameKind(Map<String, Object> old,
			Map<String, Map<String, Object>> left) {
		String kind = DefinitionTrees.groupAndKind(old);
		List<String> names = left.entrySet()
			.stream()
			.filter((entry) -> DefinitionTrees.groupAndKind(entry.getValue()).equals(kind))
			.map(Map.Entry::getKey)
			.toList();
		return (names.size() == 1) ? left.remove(names.get(0)) : null;
	}

	private static Map<String, Map<String, Object>> byName(List<Map<String, Object>> definitions) {
		Map<String, Map<String, Object>> byName = new LinkedHashMap<>();
		definitions.forEach((definition) -> byName.put(DefinitionTrees.name(definition), definition));
		return byName;
	}

	/**
	 * Returns all differences.
	 * @return the differences; empty if the definitions are equivalent
	 */
	public List<DefinitionChange> all() {
		return this.all;
	}

	/**
	 * Returns the differences that can break stored objects or clients.
	 * @return the breaking differences
	 */
	public List<DefinitionChange> breaking() {
		return this.all.stream().filter(DefinitionChange::breaking).toList();
	}

	/**
	 * Returns the differences that break neither stored objects nor clients.
	 * @return the compatible differences
	 */
	public List<DefinitionChange> compatible() {
		return this.all.stream().filter((change) -> !change.breaking()).toList();
	}

	/**
	 * Returns whether a difference can break stored objects or clients.
	 * @return {@code true} if there is a breaking difference
	 */
	public boolean isBreaking() {
		return this.all.stream().anyMatch(DefinitionChange::breaking);
	}

	/**
	 * Returns a report: the breaking differences, each with its remedy, then the
	 * compatible ones.
	 */
	@Override
	public String toString() {
		if (this.all.isEmpty()) {
			return "No differences";
		}
		String breaks = breaking().stream()
			.map((change) -> "%n  %s%n      %s".formatted(change, change.remedy()))
			.collect(Collectors.joining());
		String others = compatible().stream().map((change) -> "%n  %s".formatted(change)).collect(Collectors.joining());
		return Stream.of("Breaking:" + breaks, "Compatible:" + others)
			.filter((part) -> !part.endsWith(":"))
			.collect(Collectors.joining(System.lineSeparator()));
	}

}
