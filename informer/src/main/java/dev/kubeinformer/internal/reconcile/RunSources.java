package dev.kubeinformer.internal.reconcile;

import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.controller.Owned;
import dev.kubeinformer.resource.Metadata;
import dev.kubeinformer.resource.ResourceType;
import dev.kubeinformer.types.ObjectKey;

/**
 * Caches of a reconciler as one run sees them: one snapshot of each.
 */
public interface RunSources {

	/**
	 * Returns the objects of a class that the primary owns.
	 * @param <C> the model class
	 * @param objectClass the model class
	 * @return the owned objects
	 * @throws IllegalArgumentException if the class was not declared as owned
	 */
	<C extends KubernetesObject> Owned<C> owned(Class<C> objectClass);

	/**
	 * Returns the metadata of the objects of a class that the primary owns.
	 * @param <C> the model class of the whole objects
	 * @param objectClass the model class
	 * @return the metadata of the owned objects
	 * @throws IllegalArgumentException if the metadata of the class was not declared as
	 * owned
	 */
	<C extends KubernetesObject> Owned<Metadata<C>> ownedMetadata(Class<C> objectClass);

	/**
	 * Returns the objects of a class that were written for the primary without being
	 * owned by it.
	 * @param <C> the model class
	 * @param objectClass the model class
	 * @return the objects
	 * @throws IllegalArgumentException if the class was not declared as unowned
	 */
	<C extends KubernetesObject> Owned<C> unowned(Class<C> objectClass);

	/**
	 * Returns the object of a key.
	 * @param <C> the model class
	 * @param type the resource
	 * @param key the key
	 * @return the object, which must not be changed; {@code null} if the cache does not
	 * hold it, or if the resource is not cached
	 */
	<C extends KubernetesObject> @Nullable C cached(ResourceType<C> type, ObjectKey key);

	/**
	 * Returns an object that cannot be read. If the cache holds an object with its key,
	 * this is an earlier state.
	 * @param type the resource
	 * @param key the key
	 * @return its metadata; {@code null} if the object can be read or does not exist
	 */
	default @Nullable KubernetesObject unreadable(ResourceType<?> type, ObjectKey key) {
		return null;
	}

}
