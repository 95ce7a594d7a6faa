package dev.kubeinformer.internal.reconcile;

import java.util.ArrayList;
import java.util.List;

import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.util.generic.dynamic.DynamicKubernetesObject;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.controller.OwnedResource;
import dev.kubeinformer.controller.ReconcilerSpec;
import dev.kubeinformer.controller.WatchedResource;
import dev.kubeinformer.internal.codec.model.DynamicObjects;
import dev.kubeinformer.internal.transport.RecordedWrite;
import dev.kubeinformer.resource.Metadata;
import dev.kubeinformer.resource.ResourceType;
import dev.kubeinformer.types.ObjectKey;

/**
 * Finds the resource of an object. Resources that the reconciler caches take precedence.
 */
final class KnownResources {

	private final List<ResourceType<?>> types;

	private final RunSources sources;

	/**
	 * Creates an instance for a run.
	 * @param spec the reconciler
	 * @param sources the caches of the run
	 */
	KnownResources(ReconcilerSpec<?> spec, RunSources sources) {
		this.sources = sources;
		// Do not use streams here, because each run executes this code.
		List<ResourceType<?>> all = new ArrayList<>(1 + spec.owned().size() + spec.watched().size());
		all.add(spec.type());
		for (OwnedResource<?> owned : spec.owned()) {
			all.add(owned.type());
		}
		for (WatchedResource<?> watched : spec.watched()) {
			all.add(watched.type());
		}
		this.types = all;
	}

	/**
	 * Returns the resource of an object, with or without a cache.
	 * @param <C> the model class
	 * @param object the object
	 * @return the resource
	 * @throws dev.kubeinformer.resource.UnknownResourceTypeException if its class does
	 * not belong to a resource
	 * @throws IllegalArgumentException if several resources fit, or if the resource is
	 * not cached and the object is metadata or has no class of its own
	 */
	@SuppressWarnings("unchecked") // The resource is that of the object's own class.
	<C extends KubernetesObject> ResourceType<C> of(C object) {
		if (object instanceof Metadata<?>) {
			return (ResourceType<C>) ofMetadata(object);
		}
		for (ResourceType<?> type : this.types) {
			if (type.objectClass() == object.getClass() && (!type.isDynamic() || isSurelyOf(type, object))) {
				return (ResourceType<C>) type;
			}
		}
		if (object instanceof DynamicKubernetesObject) {
			throw new IllegalArgumentException(
					("'%s' of kind '%s' has no class, and is not a cached object of what the reconciler "
							+ "watches; pass an object that a cache returned, or write a class with "
							+ "@KubernetesResource for it")
						.formatted(ObjectKey.of(object), kind(object)));
		}
		return ResourceType.of((Class<C>) object.getClass());
	}

	private ResourceType<?> ofMetadata(KubernetesObject object) {
		for (ResourceType<?> type : this.types) {
			if (isSurelyOf(type, object)) {
				return type.metadata();
			}
		}
		throw new IllegalArgumentException(
				"'%s' is metadata of a '%s', which the reconciler neither owns nor watches; pass the whole object, or own or watch them"
					.formatted(ObjectKey.of(object), object.getKind()));
	}

	/**
	 * Returns whether the metadata of a resource is cached.
	 * @param type the resource
	 * @return {@code true} if there is such a cache, with or without one of the whole
	 * objects
	 */
	boolean hasMetadata(ResourceType<?> type) {
		return this.types.contains(type.metadata());
	}

	/**
	 * Returns whether the whole objects of a resource are cached.
	 * @param type the resource
	 * @return {@code true} if there is such a cache
	 */
	boolean hasWhole(ResourceType<?> type) {
		return this.types.contains(type);
	}

	/**
	 * Finds the cached resource of an object.
	 * @param object the object, of any class
	 * @return the resource; {@code null} if it is not cached
	 */
	@Nullable ResourceType<?> find(KubernetesObject object) {
		ResourceType<?> possible = null;
		for (ResourceType<?> type : this.types) {
			// All metadata has the same class, whatever resource it describes.
			if ((!type.isDynamic() && type.describedClass().isInstance(object)) || isSurelyOf(type, object)) {
				return type;
			}
			if (possible == null && DynamicObjects.isOf(type, object)) {
				possible = type;
			}
		}
		return possible;
	}

	private boolean isSurelyOf(ResourceType<?> type, KubernetesObject object) {
		if (!DynamicObjects.isOf(type, object)) {
			return false;
		}
		if (!type.kind().isEmpty()) {
			return true;
		}
		// All resources of the group and version fit. Only the cache knows their kinds.
		KubernetesObject cached = this.sources.cached(type, ObjectKey.of(object));
		String kind = (cached != null) ? kind(cached) : null;
		return kind != null && kind.equals(kind(object));
	}

	private static @Nullable String kind(KubernetesObject object) {
		return (object instanceof DynamicKubernetesObject) ? DynamicObjects.kind(object) : object.getKind();
	}

	@Nullable ResourceType<?> find(RecordedWrite write) {
		for (ResourceType<?> type : this.types) {
			if (type.group().equals(write.group()) && type.plural().equals(write.plural())) {
				return type;
			}
		}
		return null;
	}

}
