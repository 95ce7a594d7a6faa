package dev.kubeinformer.controller;

import java.util.Set;
import java.util.stream.Stream;

import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.resource.Metadata;
import dev.kubeinformer.resource.ResourceType;
import dev.kubeinformer.types.ObjectKey;

/**
 * Resource whose objects concern primaries that do not own them. A change of an object
 * causes a run of each primary to which the old or the new state of the object is mapped.
 *
 * @param <C> the model class
 * @param type the resource
 * @param namespaces the namespaces; empty for the reconciler's namespaces
 * @param labelSelector selects objects by label; {@code null} for all
 * @param fieldSelector selects objects by field; {@code null} for all
 * @param mapper maps an object to keys of primaries. Its result must depend on the object
 * alone. If it fails, it is called again until it succeeds
 */
public record WatchedResource<C extends KubernetesObject>(ResourceType<C> type, Set<String> namespaces,
		@Nullable String labelSelector, @Nullable String fieldSelector, Mapper<C> mapper) {

	/**
	 * Creates the resource.
	 */
	public WatchedResource {
		namespaces = Set.copyOf(namespaces);
	}

	/**
	 * Returns the resource of a class, with all of its objects.
	 * @param <C> the model class
	 * @param objectClass the model class
	 * @param mapper maps an object to keys of primaries
	 * @return the resource
	 */
	public static <C extends KubernetesObject> WatchedResource<C> of(Class<C> objectClass, Mapper<C> mapper) {
		return new WatchedResource<>(ResourceType.of(objectClass), Set.of(), null, null, mapper);
	}

	/**
	 * Returns the resource of a class, with only the metadata of all its objects in the
	 * cache.
	 * @param <C> the model class
	 * @param objectClass the model class
	 * @param mapper maps the metadata of an object to keys of primaries
	 * @return the resource
	 */
	public static <C extends KubernetesObject> WatchedResource<Metadata<C>> metadata(Class<C> objectClass,
			Mapper<Metadata<C>> mapper) {
		return new WatchedResource<>(ResourceType.of(objectClass).metadata(), Set.of(), null, null, mapper);
	}

	/**
	 * Maps an object to the keys of the primaries that it concerns.
	 *
	 * @param <C> the model class
	 */
	@FunctionalInterface
	public interface Mapper<C extends KubernetesObject> {

		/**
		 * Maps an object.
		 * @param object the object, which is shared and must not be changed
		 * @return the keys
		 * @throws Exception if the mapping fails; it is repeated later
		 */
		Stream<ObjectKey> map(C object) throws Exception;

	}

}
