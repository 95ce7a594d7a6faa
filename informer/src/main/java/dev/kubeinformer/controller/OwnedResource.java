package dev.kubeinformer.controller;

import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.resource.Metadata;
import dev.kubeinformer.resource.ResourceType;

/**
 * Resource whose objects are owned by the primaries of a reconciler. A change of such an
 * object causes a run of its owner.
 *
 * @param <C> the model class
 * @param type the resource
 * @param labelSelector selects the objects to watch; {@code null} for all
 * @param controllerOnly {@code true} if only the owner that controls the object counts;
 * {@code false} if every owner counts
 */
public record OwnedResource<C extends KubernetesObject>(ResourceType<C> type, @Nullable String labelSelector,
		boolean controllerOnly) {

	/**
	 * Returns the resource of a class. Only objects that a primary controls count.
	 * @param <C> the model class
	 * @param objectClass the model class
	 * @return the resource
	 */
	public static <C extends KubernetesObject> OwnedResource<C> of(Class<C> objectClass) {
		return new OwnedResource<>(ResourceType.of(objectClass), null, true);
	}

	/**
	 * Returns the resource of a class, with only the metadata of its objects in the
	 * cache. Only objects that a primary controls count.
	 * @param <C> the model class
	 * @param objectClass the model class
	 * @return the resource
	 * @see Reconciliation#ownedMetadata(Class)
	 */
	public static <C extends KubernetesObject> OwnedResource<Metadata<C>> metadata(Class<C> objectClass) {
		return new OwnedResource<>(ResourceType.of(objectClass).metadata(), null, true);
	}

	/**
	 * Restricts the resource to objects with certain labels.
	 * @param labelSelector the selector; {@code null} for none
	 * @return a copy with that selector
	 */
	public OwnedResource<C> withLabelSelector(@Nullable String labelSelector) {
		return new OwnedResource<>(this.type, labelSelector, this.controllerOnly);
	}

	/**
	 * Sets which owners of an object count.
	 * @param controllerOnly {@code true} (default) if only the owner that controls the
	 * object counts; {@code false} if every owner counts
	 * @return a copy
	 */
	public OwnedResource<C> withControllerOnly(boolean controllerOnly) {
		return new OwnedResource<>(this.type, this.labelSelector, controllerOnly);
	}

}
