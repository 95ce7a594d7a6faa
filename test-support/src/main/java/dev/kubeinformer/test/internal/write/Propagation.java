package dev.kubeinformer.test.internal.write;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

import dev.kubeinformer.test.internal.resource.ResourceDefinition;

/**
 * Effect of a delete on the dependents of the deleted object. The server records it in
 * finalizers, and garbage collection executes it.
 */
public enum Propagation {

	/**
	 * No policy was requested. The finalizers of the object decide or, without
	 * finalizers, its type.
	 */
	DEFAULT,

	/**
	 * The dependents are deleted after the object.
	 */
	BACKGROUND,

	/**
	 * The dependents are deleted before the object.
	 */
	FOREGROUND,

	/**
	 * The dependents stay, without their references to the object.
	 */
	ORPHAN;

	/**
	 * Finalizer of an object that waits until its dependents have been deleted.
	 */
	public static final String FOREGROUND_FINALIZER = "foregroundDeletion";

	/**
	 * Finalizer of an object that waits until its dependents no longer refer to it.
	 */
	public static final String ORPHAN_FINALIZER = "orphan";

	// Types whose first versions are older than garbage collection. By default, a delete
	// of such an object orphans its dependents.
	private static final Set<String> ORPHANING = Set.of("replicationcontrollers", "jobs.batch");

	private static final Set<String> WITHOUT = Set.of("events", "events.events.k8s.io", "namespaces");

	// Returns the policy with a name in DeleteOptions.
	static Propagation named(String name) {
		return switch (name) {
			case "Background" -> BACKGROUND;
			case "Foreground" -> FOREGROUND;
			case "Orphan" -> ORPHAN;
			default -> DEFAULT;
		};
	}

	/**
	 * Records the policy in the finalizers of an object that will be deleted
	 * (deletionFinalizersForGarbageCollection of the generic registry).
	 * @param type its resource
	 * @param metadata its metadata
	 * @return whether the finalizers have changed
	 */
	boolean note(ResourceDefinition type, ObjectNode metadata) {
		if (WITHOUT.contains(type.resource().toString())) {
			return false;
		}
		List<String> before = PendingFinalizers.of(metadata);
		Propagation policy = resolve(type, before);
		List<String> next = new ArrayList<>(before);
		next.removeAll(List.of(FOREGROUND_FINALIZER, ORPHAN_FINALIZER));
		if (policy == ORPHAN) {
			next.add(ORPHAN_FINALIZER);
		}
		if (policy == FOREGROUND) {
			next.add(FOREGROUND_FINALIZER);
		}
		if (next.size() == before.size() && next.containsAll(before)) {
			return false;
		}
		metadata.remove("finalizers");
		if (!next.isEmpty()) {
			ArrayNode finalizers = metadata.putArray("finalizers");
			next.forEach(finalizers::add);
		}
		return true;
	}

	private Propagation resolve(ResourceDefinition type, List<String> finalizers) {
		if (this != DEFAULT) {
			return this;
		}
		for (String finalizer : finalizers) {
			switch (finalizer) {
				case ORPHAN_FINALIZER -> {
					return ORPHAN;
				}
				case FOREGROUND_FINALIZER -> {
					return FOREGROUND;
				}
				default -> {
				}
			}
		}
		return (ORPHANING.contains(type.resource().toString()) && "v1".equals(type.version())) ? ORPHAN : BACKGROUND;
	}

}
