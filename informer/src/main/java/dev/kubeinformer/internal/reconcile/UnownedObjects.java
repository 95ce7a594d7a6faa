package dev.kubeinformer.internal.reconcile;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.controller.PropagationPolicy;
import dev.kubeinformer.controller.ReconcilerSpec;
import dev.kubeinformer.controller.UnownedResource;
import dev.kubeinformer.internal.transport.ApiWrites;
import dev.kubeinformer.internal.transport.ApiWrites.Caller;
import dev.kubeinformer.internal.transport.ApiWrites.Deletion;
import dev.kubeinformer.internal.transport.MetadataPages;
import dev.kubeinformer.resource.Metadata;
import dev.kubeinformer.resource.ResourceType;
import dev.kubeinformer.types.ObjectKey;

/**
 * Marks the objects that a reconciler writes for a primary without an owner reference,
 * and deletes them before the finalizer of the primary is removed.
 */
public final class UnownedObjects {

	private final ReconcilerSpec<?> spec;

	private final ObjectKey primary;

	private final String primaryUid;

	/**
	 * Creates an instance for one primary.
	 * @param spec the reconciler
	 * @param primary the primary
	 */
	public UnownedObjects(ReconcilerSpec<?> spec, KubernetesObject primary) {
		this.spec = spec;
		this.primary = ObjectKey.of(primary);
		V1ObjectMeta metadata = Objects.requireNonNullElseGet(primary.getMetadata(), V1ObjectMeta::new);
		this.primaryUid = Objects.requireNonNullElse(metadata.getUid(), "");
	}

	/**
	 * Checks that a written object will be found when the primary is deleted.
	 * @param type the resource
	 * @param key the key of the object
	 * @throws IllegalStateException if the reconciler does not declare the resource
	 */
	void requireDeclared(ResourceType<?> type, ObjectKey key) {
		for (UnownedResource<?> each : this.spec.unowned()) {
			if (each.type().equals(type)) {
				Set<String> namespaces = namespaces(each);
				if (!namespaces.isEmpty() && !namespaces.contains(key.namespace())) {
					throw new IllegalStateException(
							"%s '%s' is outside of the namespaces %s that %s declares for unowned objects, so it would not be deleted with its primary; declare its namespace"
								.formatted(type.kind(), key, namespaces, this.spec));
				}
				return;
			}
		}
		throw new IllegalStateException(
				"%s does not declare that it writes '%s' without owning them, so they would not be deleted with their primary; add 'withUnowned', or @Reconciler(unowned = %s.class)"
					.formatted(this.spec, type.name(), type.objectClass().getSimpleName()));
	}

	/**
	 * Marks an object so that it can be found.
	 * @param object the tree of the object, which this method changes
	 */
	public void mark(Map<String, @Nullable Object> object) {
		Map<String, @Nullable Object> metadata = child(object, "metadata");
		Map<String, @Nullable Object> labels = child(metadata, "labels");
		labels.put(UnownedResource.RECONCILER_LABEL, UnownedResource.labelValue(this.spec.id()));
		labels.put(UnownedResource.PRIMARY_UID_LABEL, this.primaryUid);
		child(metadata, "annotations").put(UnownedResource.PRIMARY_ANNOTATION, this.primary.toString());
	}

	@SuppressWarnings("unchecked") // The names in a tree are strings.
	private static Map<String, @Nullable Object> child(Map<String, @Nullable Object> parent, String name) {
		Map<String, @Nullable Object> child = new LinkedHashMap<>();
		if (parent.get(name) instanceof Map<?, ?> present) {
			child.putAll((Map<String, @Nullable Object>) present);
		}
		parent.put(name, child);
		return child;
	}

	/**
	 * Rejects an object that others created, because it would be deleted with the
	 * primary.
	 * @param type the resource of the object
	 * @param there the current object
	 * @throws IllegalStateException if the object does not belong to the primary
	 */
	void requireOwn(ResourceType<?> type, KubernetesObject there) {
		String uid = labels(there).get(UnownedResource.PRIMARY_UID_LABEL);
		if (!this.primaryUid.equals(uid) && (uid != null || !isAnnotated(there))) {
			throw new IllegalStateException((uid != null)
					? "%s '%s' was written for another or an earlier primary (uid %s) than '%s'; give yours another name, or delete the object if that primary is gone"
						.formatted(type.kind(), ObjectKey.of(there), uid, this.primary)
					: "%s '%s' exists and was not written for '%s', which would delete it at its end; give yours another name, or label the object with %s=%s to hand it over"
						.formatted(type.kind(), ObjectKey.of(there), this.primary, UnownedResource.PRIMARY_UID_LABEL,
								this.primaryUid));
		}
	}

	// Returns whether an object has our annotation although another client has removed
	// the label, which the next apply restores.
	private boolean isAnnotated(KubernetesObject there) {
		V1ObjectMeta metadata = there.getMetadata();
		Map<String, String> annotations = (metadata != null) ? metadata.getAnnotations() : null;
		return annotations != null
				&& this.primary.toString().equals(annotations.get(UnownedResource.PRIMARY_ANNOTATION));
	}

	/**
	 * Returns the UID of the primary that an object was written for.
	 * @param object the object
	 * @return the UID; empty for objects of others
	 */
	static List<String> primaryUids(KubernetesObject object) {
		String uid = labels(object).get(UnownedResource.PRIMARY_UID_LABEL);
		return (uid != null) ? List.of(uid) : List.of();
	}

	private static Map<String, String> labels(KubernetesObject object) {
		V1ObjectMeta metadata = object.getMetadata();
		Map<String, String> labels = (metadata != null) ? metadata.getLabels() : null;
		return (labels != null) ? labels : Map.of();
	}

	/**
	 * Deletes the objects of all declared resources. It lists them from the API server,
	 * because a cache may not show the latest writes.
	 * @param writes sends the requests
	 * @param caller the run that sends the requests
	 * @param log records the deletions
	 * @throws ApiException if the API server rejects a request or does not respond
	 */
	void deleteAll(ApiWrites writes, Caller caller, WriteLog log) throws ApiException {
		String selector = UnownedResource.selector(this.spec.id(), this.primaryUid);
		for (UnownedResource<?> each : this.spec.unowned()) {
			Set<String> namespaces = namespaces(each);
			for (String namespace : namespaces.isEmpty() ? Set.of("") : namespaces) {
				deleteAll(each.type(), namespace, selector, writes, caller, log);
			}
		}
	}

	private Set<String> namespaces(UnownedResource<?> resource) {
		if (!resource.type().namespaced()) {
			return Set.of();
		}
		return resource.namespaces().isEmpty() ? this.spec.namespaces() : resource.namespaces();
	}

	private static void deleteAll(ResourceType<?> type, String namespace, String selector, ApiWrites writes,
			Caller caller, WriteLog log) throws ApiException {
		MetadataPages pages = writes.list(type, namespace, selector, caller);
		for (List<V1ObjectMeta> page = pages.next(); page != null; page = pages.next()) {
			for (V1ObjectMeta each : page) {
				delete(type, each, writes, caller, log);
			}
		}
	}

	private static void delete(ResourceType<?> type, V1ObjectMeta metadata, ApiWrites writes, Caller caller,
			WriteLog log) throws ApiException {
		String uid = metadata.getUid();
		if (uid == null || metadata.getDeletionTimestamp() != null) {
			return;
		}
		KubernetesObject object = new Metadata<>(type.apiVersion(), type.kind(), metadata);
		log.deleted(type, object, writes.delete(type, ObjectKey.of(object),
				new Deletion(uid, null, PropagationPolicy.BACKGROUND.value()), caller));
	}

}
