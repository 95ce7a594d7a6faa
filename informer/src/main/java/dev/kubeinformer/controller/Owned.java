package dev.kubeinformer.controller;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.resource.Metadata;

/**
 * Objects of one class that a primary owns, from the caches at the beginning of the run.
 * They are found by the UID in their ownerReferences. They are shared and must not be
 * changed; {@code Informers.copyOf} returns a copy.
 *
 * @param <C> the model class of the owned objects
 */
public interface Owned<C extends KubernetesObject> {

	/**
	 * Returns the owned objects.
	 * @return the objects, sorted by namespace and name; unmodifiable
	 */
	List<C> list();

	/**
	 * Returns the only owned object.
	 * @return the object; {@code null} if there is none
	 * @throws IllegalStateException if there are several; the message names them
	 */
	@Nullable C single();

	/**
	 * Returns the owned object with a given name.
	 * @param name the name
	 * @return the object; {@code null} if there is none
	 */
	@Nullable C named(String name);

	/**
	 * Returns the owned objects whose current state is unknown, because they cannot be
	 * read as their class or a transform fails for them. An object that was readable
	 * before is also in {@link #list()}, in its last readable state. Applying such an
	 * object always sends the request, whatever the cache shows. An object that was never
	 * readable is listed only here, and can be deleted by its metadata.
	 * @return the metadata, sorted by namespace and name, which contains the identity,
	 * the owners and the finalizers; unmodifiable
	 */
	default List<Metadata<C>> quarantined() {
		return List.of();
	}

	/**
	 * Returns the given objects as owned ones, for tests.
	 * @param <C> the model class
	 * @param objects the objects
	 * @return the objects as owned ones
	 */
	@SafeVarargs
	static <C extends KubernetesObject> Owned<C> of(C... objects) {
		List<C> list = new ArrayList<>(objects.length);
		for (C object : objects) {
			list.add(object);
		}
		return of(list);
	}

	/**
	 * Returns the given objects as owned ones.
	 * @param <C> the model class
	 * @param objects the objects
	 * @return the objects as owned ones
	 */
	static <C extends KubernetesObject> Owned<C> of(List<? extends C> objects) {
		return new OwnedObjects<>(objects, List::of);
	}

	/**
	 * Returns the given objects as owned ones, some of which cannot be read.
	 * @param <C> the model class
	 * @param objects the objects, including the last readable state of those that can no
	 * longer be read
	 * @param quarantined supplies the metadata of the unreadable objects on demand
	 * @return the objects as owned ones
	 */
	static <C extends KubernetesObject> Owned<C> of(List<? extends C> objects,
			Supplier<? extends List<Metadata<C>>> quarantined) {
		return new OwnedObjects<>(objects, quarantined);
	}

}
