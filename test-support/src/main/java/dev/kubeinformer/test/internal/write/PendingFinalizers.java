package dev.kubeinformer.test.internal.write;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import dev.kubeinformer.test.internal.resource.ResourceDefinition;
import dev.kubeinformer.test.internal.status.Rejection;

/**
 * Finalizers of an object and their effect on its deletion.
 */
final class PendingFinalizers {

	static final String DELETION_TIMESTAMP = "deletionTimestamp";

	static final String GRACE_PERIOD = "deletionGracePeriodSeconds";

	private PendingFinalizers() {
	}

	static List<String> of(JsonNode metadata) {
		return StreamSupport.stream(metadata.path("finalizers").spliterator(), false)
			.map((finalizer) -> finalizer.asString(""))
			.toList();
	}

	static boolean isTerminating(JsonNode metadata) {
		return metadata.has(DELETION_TIMESTAMP);
	}

	/**
	 * Checks that an object that is being deleted gets no additional finalizers.
	 * @param type its resource
	 * @param before its metadata before the write
	 * @param next its metadata after the write
	 */
	static void check(ResourceDefinition type, ObjectNode before, ObjectNode next) {
		if (!isTerminating(before)) {
			return;
		}
		List<String> known = of(before);
		String added = of(next).stream()
			.filter((finalizer) -> !known.contains(finalizer))
			.map((finalizer) -> "\"" + finalizer + "\"")
			.collect(Collectors.joining(", "));
		if (!added.isEmpty()) {
			throw Rejection.of(type, before.path("name").asString(), Rejection.forbidden("metadata.finalizers",
					"no new finalizers can be added if the object is being deleted, found new finalizers []string{"
							+ added + "}"));
		}
	}

	/**
	 * Returns whether an object must be removed: it is being deleted, no finalizer is
	 * left, and its grace period is over.
	 * @param before its metadata before the write
	 * @param next its metadata after the write
	 * @param namespace {@code true} for a namespace, which has no grace period
	 * @return {@code true} if the object must be removed
	 */
	static boolean isEnd(JsonNode before, JsonNode next, boolean namespace) {
		return isTerminating(before) && of(next).isEmpty()
				&& before.path(GRACE_PERIOD).asLong((namespace) ? 0 : -1) == 0;
	}

	// Marks an object as being deleted.
	static void mark(ObjectNode metadata, long gracePeriodSeconds) {
		if (!isTerminating(metadata) && metadata.path("generation").asLong() > 0) {
			metadata.put("generation", metadata.path("generation").asLong() + 1);
		}
		metadata.put(DELETION_TIMESTAMP, Timestamps.after(gracePeriodSeconds));
		metadata.put(GRACE_PERIOD, gracePeriodSeconds);
	}

}
