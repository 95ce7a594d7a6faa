package dev.kubeinformer.handler;

import java.util.Objects;

import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.types.ClusterName;

/**
 * Change of one object, as delivered to a handler. Its objects are shared with the cache
 * and must not be modified.
 *
 * @param <T> the model class
 * @param type the type of the change
 * @param object the object: its new state, or for {@link Type#DELETE} the last state
 * known
 * @param oldObject the previous state; {@code null} unless the type is
 * {@link Type#UPDATE}
 * @param resync {@code true} if the object did not change and the event is part of a
 * resync
 * @param initial {@code true} if the object existed before the handler or the informer
 * started
 * @param finalStateUnknown {@code true} if a list revealed the deletion, so that {@code
 * object} may not be the very last state (client-go: {@code DeletedFinalStateUnknown})
 * @param attempt the number of deliveries of this event so far, counted from 1; it
 * restarts when the object changes after a failure
 */
public record ResourceEvent<T extends KubernetesObject>(Type type, T object, @Nullable T oldObject, boolean resync,
		boolean initial, boolean finalStateUnknown, int attempt, String cluster) {

	/**
	 * Creates an event of the default cluster.
	 * @param type the type of the change
	 * @param object the object
	 * @param oldObject the previous state; {@code null} unless the type is
	 * {@link Type#UPDATE}
	 * @param resync {@code true} if the event is part of a resync
	 * @param initial {@code true} if the object existed before the handler or the
	 * informer started
	 * @param finalStateUnknown {@code true} if a list revealed the deletion
	 * @param attempt the number of deliveries of this event so far, counted from 1
	 */
	public ResourceEvent(Type type, T object, @Nullable T oldObject, boolean resync, boolean initial,
			boolean finalStateUnknown, int attempt) {
		this(type, object, oldObject, resync, initial, finalStateUnknown, attempt, ClusterName.DEFAULT);
	}

	/**
	 * Returns whether {@code metadata.generation} differs between the two objects of an
	 * update. It differs when the desired state has changed, not when only the status
	 * has. Additions and deletions count as changed, resyncs do not.
	 * @return {@code true} if the generation changed
	 */
	public boolean generationChanged() {
		if (this.oldObject == null) {
			return true;
		}
		V1ObjectMeta before = this.oldObject.getMetadata();
		V1ObjectMeta after = this.object.getMetadata();
		return !Objects.equals((before != null) ? before.getGeneration() : null,
				(after != null) ? after.getGeneration() : null);
	}

	/**
	 * Type of a change.
	 */
	public enum Type {

		/**
		 * The object is new to the handler.
		 */
		ADD,

		/**
		 * The object changed, or a resync is due.
		 */
		UPDATE,

		/**
		 * The object was deleted, no longer matches the informer's selectors, or was
		 * dropped by its transform.
		 */
		DELETE

	}

}
