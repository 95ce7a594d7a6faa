package dev.kubeinformer.internal.reconcile;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.kubernetes.client.common.KubernetesObject;

import dev.kubeinformer.controller.Owned;
import dev.kubeinformer.resource.Metadata;
import dev.kubeinformer.resource.ResourceType;
import dev.kubeinformer.types.ObjectKey;

/**
 * Contents of the caches of owned objects at the start of a run. The objects of a class
 * are looked up in these contents only when the run asks for them.
 */
public final class OwnedSnapshots {

	private final Map<Class<?>, OwnedSource.Content<?>> whole = new HashMap<>();

	/** Contents of metadata caches, by the class of the whole objects. */
	private final Map<Class<?>, OwnedSource.Content<?>> metadata = new HashMap<>();

	/**
	 * Captures the current content of all caches.
	 * @param sources the caches
	 * @param reader the key of the run that reads the snapshots
	 */
	public OwnedSnapshots(List<OwnedSource<?>> sources, ObjectKey reader) {
		for (OwnedSource<?> source : sources) {
			ResourceType<?> type = source.type();
			(type.isMetadata() ? this.metadata : this.whole).put(type.describedClass(), source.content(reader));
		}
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
	@SuppressWarnings("unchecked") // The key is the class of the content.
	public <C extends KubernetesObject> Owned<C> ownedBy(Class<C> objectClass, ObjectKey primary, String uid) {
		OwnedSource.Content<?> content = this.whole.get(objectClass);
		if (content == null) {
			throw new IllegalArgumentException(this.metadata.containsKey(objectClass)
					? "Of '%s' only the metadata is cached; ask for that by 'ownedMetadata', or declare that the whole objects are owned"
						.formatted(objectClass.getName())
					: "'%s' is not one of the owned classes %s; declare it as owned".formatted(objectClass.getName(),
							names(this.whole)));
		}
		return ((OwnedSource.Content<C>) content).ownedBy(primary, uid);
	}

	/**
	 * Returns the metadata of the objects of a class that a primary owns.
	 * @param <C> the model class of the whole objects
	 * @param objectClass the model class
	 * @param primary the key of the primary
	 * @param uid the UID of the primary
	 * @return the metadata
	 * @throws IllegalArgumentException if the reconciler does not own the metadata of
	 * objects of that class
	 */
	@SuppressWarnings("unchecked") // The key is the class that the content describes.
	public <C extends KubernetesObject> Owned<Metadata<C>> metadataOwnedBy(Class<C> objectClass, ObjectKey primary,
			String uid) {
		OwnedSource.Content<?> content = this.metadata.get(objectClass);
		if (content == null) {
			throw new IllegalArgumentException(
					"'%s' is not one of the classes %s whose metadata is owned; declare its metadata as owned"
						.formatted(objectClass.getName(), names(this.metadata)));
		}
		return ((OwnedSource.Content<Metadata<C>>) content).ownedBy(primary, uid);
	}

	private static List<String> names(Map<Class<?>, OwnedSource.Content<?>> contents) {
		return contents.keySet().stream().map(Class::getName).sorted().toList();
	}

}
