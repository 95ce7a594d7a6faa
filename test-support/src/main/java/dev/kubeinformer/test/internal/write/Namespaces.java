package dev.kubeinformer.test.internal.write;

import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

import dev.kubeinformer.test.internal.resource.GroupResource;
import dev.kubeinformer.test.internal.resource.ObjectKey;
import dev.kubeinformer.test.internal.resource.ResourceDefinition;
import dev.kubeinformer.test.internal.status.RequestFailure;
import dev.kubeinformer.test.internal.status.Statuses;
import dev.kubeinformer.test.internal.storage.PersistedObject;
import dev.kubeinformer.test.internal.storage.RevisionLog;

/**
 * Initial namespaces, and the rule that objects need an existing namespace.
 */
public final class Namespaces {

	private static final GroupResource RESOURCE = new GroupResource("", "namespaces");

	private static final List<String> INITIAL = List.of("default", "kube-node-lease", "kube-public", "kube-system");

	private static final Set<String> UNDELETABLE = Set.of("default", "kube-public", "kube-system");

	private final RevisionLog log;

	private final boolean required;

	private final Set<String> initial;

	public Namespaces(RevisionLog log, boolean required, Collection<String> more) {
		this.log = log;
		this.required = required;
		this.initial = new LinkedHashSet<>(INITIAL);
		this.initial.addAll(more);
	}

	// Creates the initial namespaces. This creates no new revisions.
	public void seed() {
		this.initial.forEach((name) -> this.log.seed(RESOURCE, initial(name, this.log.revision())));
	}

	// Recreates initial namespaces that a test has deleted.
	public void restore() {
		for (String name : this.initial) {
			ObjectKey key = new ObjectKey("", name);
			PersistedObject stored = this.log.get(RESOURCE, key);
			if (stored != null && PendingFinalizers.isTerminating(stored.tree().path("metadata"))) {
				this.log.delete(RESOURCE, key);
			}
			this.log.write(RESOURCE, key, (current, revision) -> (current != null) ? current : initial(name, revision));
		}
	}

	// Write the JSON as text, because loading the JSON mapper takes longer than the rest
	// of the start of a server.
	private static PersistedObject initial(String name, long revision) {
		String json = "{\"metadata\":{\"name\":\"" + name + "\",\"uid\":\"" + Uids.next()
				+ "\",\"creationTimestamp\":\"" + Timestamps.now() + "\",\"labels\":{\"kubernetes.io/metadata.name\":\""
				+ name + "\"},\"resourceVersion\":\"" + revision
				+ "\"},\"spec\":{\"finalizers\":[\"kubernetes\"]},\"status\":{\"phase\":\"Active\"}}";
		return PersistedObject.written(new ObjectKey("", name), revision, Map.of("kubernetes.io/metadata.name", name),
				Map.of("status.phase", "Active"), json);
	}

	/**
	 * Checks that an object may be created in a namespace.
	 * @param type the resource of the object
	 * @param namespace the namespace, empty for none
	 * @param name the name of the object
	 * @throws RequestFailure 404 if the namespace does not exist, 403 if it is being
	 * deleted
	 */
	public void check(ResourceDefinition type, String namespace, @Nullable String name) {
		if (!this.required || namespace.isEmpty()) {
			return;
		}
		PersistedObject stored = this.log.get(RESOURCE, new ObjectKey("", namespace));
		if (stored == null) {
			throw Statuses.notFound(RESOURCE, namespace);
		}
		if (PendingFinalizers.isTerminating(stored.tree().path("metadata"))) {
			RequestFailure refusal = forbidden(type.resource(), (name != null) ? name : "",
					"unable to create new content in namespace " + namespace + " because it is being terminated");
			refusal.status()
				.withObjectProperty("details")
				.putArray("causes")
				.addObject()
				.put("reason", "NamespaceTerminating")
				.put("message", "namespace " + namespace + " is being terminated")
				.put("field", "metadata.namespace");
			throw refusal;
		}
	}

	// Whether a namespace exists or need not exist.
	public boolean exists(String namespace) {
		return !this.required || this.log.get(RESOURCE, new ObjectKey("", namespace)) != null;
	}

	// Whether an object is one of the initial namespaces.
	public boolean isInitial(GroupResource resource, ObjectKey key) {
		return RESOURCE.equals(resource) && this.initial.contains(key.name());
	}

	public static boolean isNamespace(ResourceDefinition type) {
		return RESOURCE.equals(type.resource());
	}

	static void checkDelete(ObjectKey key) {
		if (UNDELETABLE.contains(key.name())) {
			throw forbidden(RESOURCE, key.name(), "this namespace may not be deleted");
		}
	}

	private static RequestFailure forbidden(GroupResource resource, String name, String why) {
		ObjectNode status = Statuses.of(403, resource + " \"" + name + "\" is forbidden: " + why).status();
		status.remove("code");
		ObjectNode details = status.putObject("details").put("name", name);
		if (!resource.group().isEmpty()) {
			details.put("group", resource.group());
		}
		details.put("kind", resource.plural());
		return new RequestFailure(status.put("code", 403));
	}

	/**
	 * Removes all objects of a namespace, as the namespace controller does.
	 * @param namespace the namespace
	 */
	void empty(String namespace) {
		for (GroupResource resource : this.log.resources()) {
			this.log.list(resource, namespace).objects().forEach((object) -> this.log.delete(resource, object.key()));
		}
	}

}
