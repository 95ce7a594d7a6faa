package dev.kubeinformer.handler;

import java.util.Objects;

import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.types.ClusterName;

/**
 * One change of one object, as it is delivered to a handler. The objects are those of the
 * cache: they are shared and must not be changed.
 *
 * @param <T> the model class
 * @param type what happened
 * @param object the object: its new state, or for {@link Type#DELETE} the last state
 * known
 * @param oldObject the state before; {@code null} unless the type is {@link Type#UPDATE}
 * @param resync whether nothing changed and the handler's resync period is the reason
 * @param initial whether the object was there before the handler or the informer started
 * @param finalStateUnknown whether a deletion was noticed later, by a list, so that
 * {@code object} may not be the very last state (client-go:
 * {@code DeletedFinalStateUnknown})
 * @param attempt how often this event was handed to the handler, counted from 1; it
 * starts anew when the object changed after a failure
 */
public record ResourceEvent<T extends KubernetesObject>(Type type, T object, @Nullable T oldObject, boolean resync,
		boolean initial, boolean finalStateUnknown, int attempt, String cluster) {

	/**
	 * Creates an event of the default cluster.
	 * @param type what happened
	 * @param object the object
	 * @param oldObject the state before; {@code null} unless the type is
	 * {@link Type#UPDATE}
	 * @param resync whether nothing changed
	 * @param initial whether the object was there before
	 * @param finalStateUnknown whether a deletion was noticed later
	 * @param attempt how often this event was handed to the handler
	 */
	public ResourceEvent(Type type, T object, @Nullable T oldObject, boolean resync, boolean initial,
			boolean finalStateUnknown, int attempt) {
		this(type, object, oldObject, resync, initial, finalStateUnknown, attempt, ClusterName.DEFAULT);
	}

	/**
	 * Returns whether {@code metadata.generation} differs between the two objects of an
	 * update, which is so when the desired state changed rather than the status.
	 * Additions and deletions count as changed, resyncs do not.
	 * @return whether the generation changed
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
	 * What happened to an object.
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
		 * The object is gone, does not match the informer's selectors any more, or was
		 * dropped by its transform.
		 */
		DELETE

	}

}
