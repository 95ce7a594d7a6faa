package dev.kubeinformer.internal.control;

import java.util.List;
import java.util.stream.Stream;

import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.controller.OwnedResource;
import dev.kubeinformer.controller.ReconcilerSpec;
import dev.kubeinformer.controller.WatchedResource;
import dev.kubeinformer.internal.transport.RecordedWrite;
import dev.kubeinformer.resource.ResourceType;

/**
 * Resources that a reconciler has caches of.
 */
final class KnownResources {

	private final List<ResourceType<?>> types;

	KnownResources(ReconcilerSpec<?> spec) {
		Stream<ResourceType<?>> owned = spec.owned().stream().map(OwnedResource::type);
		Stream<ResourceType<?>> watched = spec.watched().stream().map(WatchedResource::type);
		this.types = Stream.concat(Stream.of(spec.type()), Stream.concat(owned, watched)).toList();
	}

	/**
	 * Returns the resource of an object, with a cache or without.
	 * @param <C> the model class
	 * @param object the object
	 * @return the resource
	 * @throws dev.kubeinformer.resource.UnknownResourceTypeException if its class stands
	 * for none
	 */
	@SuppressWarnings("unchecked") // the resource is of the object's own class
	<C extends KubernetesObject> ResourceType<C> of(C object) {
		for (ResourceType<?> type : this.types) {
			if (type.objectClass() == object.getClass()) {
				return (ResourceType<C>) type;
			}
		}
		return ResourceType.of((Class<C>) object.getClass());
	}

	/**
	 * Finds the resource of an object that has a cache.
	 * @param object the object, of whatever class
	 * @return the resource; {@code null} if there is no cache of it
	 */
	@Nullable ResourceType<?> find(KubernetesObject object) {
		for (ResourceType<?> type : this.types) {
			if (type.objectClass().isInstance(object)
					|| (type.apiVersion().equals(object.getApiVersion()) && type.kind().equals(object.getKind()))) {
				return type;
			}
		}
		return null;
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
