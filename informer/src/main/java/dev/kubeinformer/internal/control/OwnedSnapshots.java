package dev.kubeinformer.internal.control;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.kubernetes.client.common.KubernetesObject;

import dev.kubeinformer.controller.Owned;
import dev.kubeinformer.types.ObjectKey;

/**
 * What the caches of owned objects hold at the start of a run. The objects of one class
 * are looked up when they are asked for, in the content of that moment.
 */
public final class OwnedSnapshots {

	private final Map<Class<?>, OwnedSource.Content<?>> contents = new HashMap<>();

	/**
	 * Takes the content of all caches at this moment.
	 * @param sources the caches
	 */
	public OwnedSnapshots(List<OwnedSource<?>> sources) {
		sources.forEach((source) -> this.contents.put(source.type().objectClass(), source.content()));
	}

	/**
	 * Returns the objects of a class that a primary owns.
	 * @param <C> the model class
	 * @param objectClass the model class
	 * @param primary the key of the primary
	 * @param uid the UID of the primary
	 * @return the objects
	 * @throws IllegalArgumentException if the reconciler does not own objects of that
	 * class
	 */
	@SuppressWarnings("unchecked") // the key is the class of the content
	public <C extends KubernetesObject> Owned<C> ownedBy(Class<C> objectClass, ObjectKey primary, String uid) {
		OwnedSource.Content<?> content = this.contents.get(objectClass);
		if (content == null) {
			throw new IllegalArgumentException(
					"'%s' is none of the owned classes %s; declare that it is owned".formatted(objectClass.getName(),
							this.contents.keySet().stream().map(Class::getName).sorted().toList()));
		}
		return ((OwnedSource.Content<C>) content).ownedBy(primary, uid);
	}

}
