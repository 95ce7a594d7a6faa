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
 * Resources that a reconciler has caches of.
 */
final class KnownResources {

	private final List<ResourceType<?>> types;

	private final RunSources sources;

	/**
	 * Creates the resources of a run.
	 * @param spec the reconciler
	 * @param sources its caches
	 */
	KnownResources(ReconcilerSpec<?> spec, RunSources sources) {
		this.sources = sources;
		// No streams, because each run does this.
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
	 * Returns the resource of an object, with a cache or without.
	 * @param <C> the model class
	 * @param object the object
	 * @return the resource
	 * @throws dev.kubeinformer.resource.UnknownResourceTypeException if its class stands
	 * for none
	 * @throws IllegalArgumentException if it is metadata, or of a resource without a
	 * class, that there is no cache of, or that it cannot be told from others
	 */
	@SuppressWarnings("unchecked") // the resource is of the object's own class
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
					("'%s' of kind '%s' has no class, and is none of the cached objects of what the reconciler "
							+ "watches; hand over an object as a cache gave it, or write a class with "
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
				"'%s' is metadata of a '%s', which the reconciler neither owns nor watches; hand over the whole object, or own or watch them"
					.formatted(ObjectKey.of(object), object.getKind()));
	}

	/**
	 * Returns whether there is a cache of the metadata of a resource.
	 * @param type the resource
	 * @return whether there is, beside one of the whole objects or without
	 */
	boolean hasMetadata(ResourceType<?> type) {
		return this.types.contains(type.metadata());
	}

	/**
	 * Returns whether there is a cache of the whole objects of a resource.
	 * @param type the resource
	 * @return whether there is
	 */
	boolean hasWhole(ResourceType<?> type) {
		return this.types.contains(type);
	}

	/**
	 * Finds the resource of an object that has a cache.
	 * @param object the object, of whatever class
	 * @return the resource; {@code null} if there is no cache of it
	 */
	@Nullable ResourceType<?> find(KubernetesObject object) {
		ResourceType<?> possible = null;
		for (ResourceType<?> type : this.types) {
			// Metadata is of one class whatever it describes.
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
		// All resources of the group and version fit. Only the cache knows their kind.
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
