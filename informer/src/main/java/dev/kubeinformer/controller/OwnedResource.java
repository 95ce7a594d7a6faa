package dev.kubeinformer.controller;

import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.resource.Metadata;
import dev.kubeinformer.resource.ResourceType;

/**
 * Resource whose objects are owned by the primaries of a reconciler. A change of one
 * leads to a run of its owner.
 *
 * @param <C> the model class
 * @param type the resource
 * @param labelSelector narrows the objects that are watched; {@code null} for none
 * @param controllerOnly whether the owner must be the controller of the object, and not
 * only one of its owners
 */
public record OwnedResource<C extends KubernetesObject>(ResourceType<C> type, @Nullable String labelSelector,
		boolean controllerOnly) {

	/**
	 * Returns all objects of a class that are controlled by a primary.
	 * @param <C> the model class
	 * @param objectClass the model class
	 * @return the resource
	 */
	public static <C extends KubernetesObject> OwnedResource<C> of(Class<C> objectClass) {
		return new OwnedResource<>(ResourceType.of(objectClass), null, true);
	}

	/**
	 * Returns the metadata of all objects of a class that are controlled by a primary.
	 * Nothing else of them is cached.
	 * @param <C> the model class
	 * @param objectClass the model class
	 * @return the resource
	 * @see Reconciliation#ownedMetadata(Class)
	 */
	public static <C extends KubernetesObject> OwnedResource<Metadata<C>> metadata(Class<C> objectClass) {
		return new OwnedResource<>(ResourceType.of(objectClass).metadata(), null, true);
	}

	/**
	 * Narrows it to objects with certain labels.
	 * @param labelSelector the selector; {@code null} for none
	 * @return a copy with that selector
	 */
	public OwnedResource<C> withLabelSelector(@Nullable String labelSelector) {
		return new OwnedResource<>(this.type, labelSelector, this.controllerOnly);
	}

	/**
	 * Sets whether the owner must be the controller.
	 * @param controllerOnly whether it must; it must by default
	 * @return a copy
	 */
	public OwnedResource<C> withControllerOnly(boolean controllerOnly) {
		return new OwnedResource<>(this.type, this.labelSelector, controllerOnly);
	}

}
