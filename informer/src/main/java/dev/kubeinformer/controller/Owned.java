package dev.kubeinformer.controller;

import java.util.ArrayList;
import java.util.List;

import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;

/**
 * Objects of one class that a primary owns, as the caches held them when the run began.
 * They are found by the UID in their ownerReferences. They are shared and must not be
 * changed; a copy is given by {@code Informers.copyOf}.
 *
 * @param <C> the model class of the owned objects
 */
public interface Owned<C extends KubernetesObject> {

	/**
	 * Returns the owned objects.
	 * @return the objects by namespace and name; unmodifiable
	 */
	List<C> list();

	/**
	 * Returns the only owned object.
	 * @return the object; {@code null} if there is none
	 * @throws IllegalStateException if there are several; the message names them
	 */
	@Nullable C single();

	/**
	 * Returns the owned object of a name.
	 * @param name the name
	 * @return the object; {@code null} if there is none
	 */
	@Nullable C named(String name);

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
		return new OwnedObjects<>(objects);
	}

}
