package dev.kubeinformer.internal.workqueue;

import java.util.Objects;

import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.types.ObjectKey;

/**
 * Change of an object that queues a key.
 *
 * @param objectClass the model class of the object
 * @param object the key of the object
 * @param uid the UID of the object
 * @param version the resource version of the object after the change; {@link #DELETED} if
 * it was deleted
 * @param spec whether the spec may have changed, because the change raised the generation
 * or the object has no generation
 */
public record KeyCause(Class<?> objectClass, ObjectKey object, String uid, String version, boolean spec) {

	/** Value in place of the version of a deleted object. */
	public static final String DELETED = "deleted";

	/**
	 * Returns the cause that describes a change.
	 * @param before the object before; {@code null} if it was added
	 * @param after the object after; {@code null} if it was deleted
	 * @return the cause
	 */
	public static KeyCause of(@Nullable KubernetesObject before, @Nullable KubernetesObject after) {
		KubernetesObject object = Objects.requireNonNull((after != null) ? after : before);
		V1ObjectMeta metadata = Objects.requireNonNullElseGet(object.getMetadata(), V1ObjectMeta::new);
		String version = (after != null) ? Objects.requireNonNullElse(metadata.getResourceVersion(), "") : DELETED;
		return new KeyCause(object.getClass(), ObjectKey.of(object), Objects.requireNonNullElse(metadata.getUid(), ""),
				version, isOfSpec(generation(before), generation(after)));
	}

	// Without a generation, any change may concern the spec.
	private static boolean isOfSpec(@Nullable Long before, @Nullable Long after) {
		return after == null || !after.equals(before);
	}

	private static @Nullable Long generation(@Nullable KubernetesObject object) {
		V1ObjectMeta metadata = (object != null) ? object.getMetadata() : null;
		return (metadata != null) ? metadata.getGeneration() : null;
	}

}
