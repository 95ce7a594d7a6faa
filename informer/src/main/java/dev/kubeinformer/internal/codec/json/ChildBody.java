package dev.kubeinformer.internal.codec.json;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1OwnerReference;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.resource.Metadata;
import dev.kubeinformer.resource.ResourceType;
import dev.kubeinformer.types.ObjectKey;

/**
 * Completes a child before it is written: sets its type, its namespace, and the primary
 * as its controller, so that a reconciler does not have to. A child is an object that a
 * reconciler creates for its primary. The child is passed as the tree of its JSON.
 */
public final class ChildBody {

	private static final List<String> OF_THE_SERVER = List.of("managedFields", "resourceVersion", "uid",
			"creationTimestamp", "generation", "deletionTimestamp", "deletionGracePeriodSeconds", "selfLink");

	private static final String[] REFERENCE = { "apiVersion", "kind", "name", "uid", "controller",
			"blockOwnerDeletion" };

	private final ResourceType<?> ownerType;

	private final ObjectKey owner;

	private final String ownerUid;

	/**
	 * Creates an instance for the children of a primary.
	 * @param ownerType the resource of the primary
	 * @param owner the primary
	 */
	public ChildBody(ResourceType<?> ownerType, KubernetesObject owner) {
		this.ownerType = ownerType;
		this.owner = ObjectKey.of(owner);
		V1ObjectMeta metadata = Objects.requireNonNullElseGet(owner.getMetadata(), V1ObjectMeta::new);
		this.ownerUid = Objects.requireNonNullElse(metadata.getUid(), "");
	}

	/**
	 * Completes a child.
	 * @param type the resource of the child
	 * @param object the tree of the child, which this method changes
	 * @param owned {@code true} to set the primary as the controller of the child
	 * @return the key of the child, with an empty name if the child has no name
	 * @throws IllegalArgumentException if the primary cannot own the child
	 */
	public ObjectKey complete(ResourceType<?> type, Map<String, @Nullable Object> object, boolean owned) {
		object.put("apiVersion", type.apiVersion());
		if (!type.kind().isEmpty()) {
			object.put("kind", type.kind());
		}
		Map<String, @Nullable Object> metadata = map(object.get("metadata"));
		object.put("metadata", metadata);
		metadata.keySet().removeAll(OF_THE_SERVER);
		ObjectKey key = key(type, metadata);
		if (type.namespaced()) {
			metadata.put("namespace", key.namespace());
		}
		else {
			metadata.remove("namespace");
		}
		if (owned) {
			requireOwnable(type, key);
			metadata.put("ownerReferences", withOwner(type, key, metadata.get("ownerReferences")));
		}
		return key;
	}

	private ObjectKey key(ResourceType<?> type, Map<String, @Nullable Object> metadata) {
		return key(type, text(metadata.get("namespace")), text(metadata.get("name")));
	}

	/**
	 * Returns the key of a child. If the namespace is missing, it is the namespace of the
	 * primary.
	 * @param type the resource of the child
	 * @param namespace the namespace; empty if it is missing
	 * @param name the name
	 * @return the key
	 * @throws IllegalArgumentException if the namespace is unknown
	 */
	public ObjectKey key(ResourceType<?> type, String namespace, String name) {
		if (!type.namespaced()) {
			return new ObjectKey("", name);
		}
		String completed = namespace.isEmpty() ? this.owner.namespace() : namespace;
		if (completed.isEmpty()) {
			throw new IllegalArgumentException(
					"%s '%s' has no namespace, and its primary %s '%s' is cluster-scoped; set metadata.namespace"
						.formatted(type.kind(), name, this.ownerType.kind(), this.owner));
		}
		return new ObjectKey(completed, name);
	}

	private void requireOwnable(ResourceType<?> type, ObjectKey key) {
		String owner = this.owner.namespace();
		if (!owner.isEmpty() && !owner.equals(key.namespace())) {
			throw new IllegalArgumentException(
					"%s '%s' cannot own %s '%s': an owner is cluster-scoped or in the namespace of what it owns; write it by 'applyUnowned'"
						.formatted(this.ownerType.kind(), this.owner, type.kind(), key));
		}
	}

	private List<Object> withOwner(ResourceType<?> type, ObjectKey key, @Nullable Object present) {
		List<Object> owners = new ArrayList<>();
		if (present instanceof List<?> list) {
			for (Object each : list) {
				Map<String, @Nullable Object> reference = map(each);
				if (this.ownerUid.equals(reference.get("uid"))) {
					continue;
				}
				if (Boolean.TRUE.equals(reference.get("controller"))) {
					throw foreign(type, key,
							new V1OwnerReference().kind(text(reference.get("kind")))
								.name(text(reference.get("name")))
								.uid(text(reference.get("uid"))));
				}
				owners.add(reference);
			}
		}
		owners.add(0, ownerReference());
		return owners;
	}

	private Map<String, Object> ownerReference() {
		Object[] values = { this.ownerType.apiVersion(), this.ownerType.kind(), this.owner.name(), this.ownerUid, true,
				true };
		Map<String, Object> reference = new LinkedHashMap<>();
		// A loop: with six calls, HotSpot would inline the map's method six times.
		for (int i = 0; i < values.length; i++) {
			reference.put(REFERENCE[i], values[i]);
		}
		return reference;
	}

	/**
	 * Rejects a child that has another controller than the primary.
	 * @param type the resource of the child
	 * @param cached the child as the cache holds it
	 * @throws IllegalStateException if another object controls the child
	 */
	public void requireNotForeign(ResourceType<?> type, KubernetesObject cached) {
		V1ObjectMeta metadata = cached.getMetadata();
		if (metadata == null || metadata.getOwnerReferences() == null) {
			return;
		}
		for (V1OwnerReference reference : metadata.getOwnerReferences()) {
			if (Boolean.TRUE.equals(reference.getController()) && !this.ownerUid.equals(reference.getUid())) {
				throw foreign(type, ObjectKey.of(cached), reference);
			}
		}
	}

	/**
	 * Checks that an object is not only metadata. Metadata is not enough to create an
	 * object; controller-runtime's metadata client rejects such a creation, too.
	 * @param object the object
	 * @throws IllegalArgumentException if it is only metadata
	 */
	public static void requireWhole(KubernetesObject object) {
		if (object instanceof Metadata<?>) {
			throw new IllegalArgumentException(
					"'%s' is only the metadata of a '%s'; write the whole object, or change its metadata by a patch"
						.formatted(ObjectKey.of(object), object.getKind()));
		}
	}

	private IllegalStateException foreign(ResourceType<?> type, ObjectKey key, V1OwnerReference controller) {
		boolean earlier = this.ownerType.kind().equals(controller.getKind())
				&& this.owner.name().equals(controller.getName());
		return earlier ? new IllegalStateException(
				"%s '%s' is controlled by an earlier %s '%s' (uid %s), and is not adopted; garbage collection removes it"
					.formatted(type.kind(), key, controller.getKind(), this.owner, controller.getUid()))
				: new IllegalStateException(
						"%s '%s' is controlled by %s '%s', and is not adopted by %s '%s'; give it another name, or end the other controller's ownership"
							.formatted(type.kind(), key, controller.getKind(), controller.getName(),
									this.ownerType.kind(), this.owner));
	}

	private static String text(@Nullable Object value) {
		return (value instanceof String text) ? text : "";
	}

	@SuppressWarnings("unchecked") // Objects in JSON have only strings as names.
	private static Map<String, @Nullable Object> map(@Nullable Object value) {
		return (value instanceof Map<?, ?> map) ? (Map<String, @Nullable Object>) map : new LinkedHashMap<>();
	}

}
