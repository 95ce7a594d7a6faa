package dev.kubeinformer.test.internal.write;

import java.util.function.BooleanSupplier;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import dev.kubeinformer.test.internal.json.Json;
import dev.kubeinformer.test.internal.resource.GroupResource;
import dev.kubeinformer.test.internal.resource.ObjectKey;
import dev.kubeinformer.test.internal.resource.ResourceDefinition;
import dev.kubeinformer.test.internal.resource.Subresources;
import dev.kubeinformer.test.internal.storage.PersistedObject;
import dev.kubeinformer.test.internal.storage.RevisionLog;
import dev.kubeinformer.test.internal.storage.Step;

/**
 * Deletes objects for clients: immediately, or after the last finalizer is removed. A pod
 * with a grace period is only marked, because this server has no kubelets. Another delete
 * with a grace period of 0 removes it.
 */
public final class Deletion {

	private static final long DEFAULT_GRACE_PERIOD = 30;

	private static final GroupResource PODS = new GroupResource("", "pods");

	private final RevisionLog log;

	private final Namespaces namespaces;

	private final BooleanSupplier collecting;

	/**
	 * Creates the deletion.
	 * @param log the storage
	 * @param namespaces the namespaces
	 * @param collecting whether the server collects garbage; if not, the
	 * {@code propagationPolicy} of a delete is ignored
	 */
	public Deletion(RevisionLog log, Namespaces namespaces, BooleanSupplier collecting) {
		this.collecting = collecting;
		this.log = log;
		this.namespaces = namespaces;
	}

	/**
	 * Deletes an object.
	 * @param type its resource
	 * @param key its key
	 * @param options the options
	 * @return its last state, and whether it was removed
	 */
	public Result delete(ResourceDefinition type, ObjectKey key, DeleteOptions options) {
		if (Namespaces.isNamespace(type)) {
			Namespaces.checkDelete(key);
		}
		PersistedObject marked = this.log.change(type.resource(), key, (current, revision) -> {
			PersistedObject stored = StoredObjects.existing(type, key, current);
			options.check(type, stored);
			Step step = step(type, stored, options, (options.dryRun()) ? stored.revision() : revision);
			return (options.dryRun()) ? step.dry() : step;
		});
		if (Namespaces.isNamespace(type) && !options.dryRun()) {
			this.namespaces.empty(key.name());
		}
		if (!isEnd(type, marked)) {
			return new Result(marked, false);
		}
		return new Result((options.dryRun()) ? marked : remove(type, marked), true);
	}

	private Step step(ResourceDefinition type, PersistedObject stored, DeleteOptions options, long revision) {
		Step marked = mark(type, stored, options, revision);
		boolean end = marked.action() == Step.Action.KEEP && isEnd(type, stored) && !Namespaces.isNamespace(type);
		return (end) ? Step.remove(stored.at(revision)) : marked;
	}

	private Step mark(ResourceDefinition type, PersistedObject stored, DeleteOptions options, long revision) {
		ObjectNode tree = stored.tree();
		ObjectNode metadata = tree.withObject("metadata");
		boolean noted = this.collecting.getAsBoolean() && options.propagation().note(type, metadata);
		if (PODS.equals(type.resource())) {
			if (!markPod(tree, metadata, options) && !noted) {
				return Step.keep(stored);
			}
		}
		else if (Namespaces.isNamespace(type)) {
			if (PendingFinalizers.isTerminating(metadata)) {
				return Step.keep(stored);
			}
			metadata.put(PendingFinalizers.DELETION_TIMESTAMP, Timestamps.now());
			tree.withObjectProperty(Subresources.STATUS).put("phase", "Terminating");
		}
		else if (noted && PendingFinalizers.of(metadata).isEmpty()) {
			return Step.remove(PersistedObject.of(type.resource(), stored.key(), tree, revision));
		}
		else if (!noted && (PendingFinalizers.of(metadata).isEmpty() || PendingFinalizers.isTerminating(metadata))) {
			return Step.keep(stored);
		}
		else if (!PendingFinalizers.isTerminating(metadata)) {
			PendingFinalizers.mark(metadata, 0);
		}
		return Step.put(PersistedObject.of(type.resource(), stored.key(), tree, revision));
	}

	// Marks a pod as being deleted. Returns false if the pod is already marked and the
	// delete does not shorten its grace period.
	private static boolean markPod(ObjectNode pod, ObjectNode metadata, DeleteOptions options) {
		boolean again = PendingFinalizers.isTerminating(metadata);
		Long asked = options.gracePeriodSeconds();
		long current = metadata.path(PendingFinalizers.GRACE_PERIOD).asLong(0);
		if (again && (asked == null || asked >= current || current == 0)) {
			return false;
		}
		PendingFinalizers.mark(metadata, gracePeriod(pod, asked));
		return true;
	}

	private static long gracePeriod(ObjectNode pod, @Nullable Long asked) {
		JsonNode spec = pod.path("spec");
		String phase = pod.path("status").path("phase").asString("");
		if (Json.text(spec, "nodeName") == null || "Succeeded".equals(phase) || "Failed".equals(phase)) {
			return 0;
		}
		long period = (asked != null) ? asked : spec.path("terminationGracePeriodSeconds").asLong(DEFAULT_GRACE_PERIOD);
		return (period < 0) ? 1 : period;
	}

	private static boolean isEnd(ResourceDefinition type, PersistedObject marked) {
		JsonNode metadata = marked.tree().path("metadata");
		return PendingFinalizers.of(metadata).isEmpty()
				&& (!PODS.equals(type.resource()) || metadata.path(PendingFinalizers.GRACE_PERIOD).asLong(0) == 0);
	}

	// Removes a marked object unless it was already removed or replaced by another one.
	private PersistedObject remove(ResourceDefinition type, PersistedObject marked) {
		String uid = uid(marked);
		PersistedObject last = this.log.change(type.resource(), marked.key(),
				(current, revision) -> (current != null && uid.equals(uid(current)) && isEnd(type, current))
						? Step.remove(current.at(revision)) : Step.keep(marked));
		return (Namespaces.isNamespace(type)) ? marked : last;
	}

	private static String uid(PersistedObject object) {
		return object.tree().path("metadata").path("uid").asString();
	}

	/**
	 * Result of a delete.
	 *
	 * @param object the last state of the object
	 * @param gone whether the object was removed
	 */
	public record Result(PersistedObject object, boolean gone) {
	}

}
