package dev.kubeinformer.controller;

import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.stream.Collectors;

import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.resource.Metadata;
import dev.kubeinformer.types.ObjectKey;

/**
 * Implementation of {@link Owned} with a list.
 *
 * @param <C> the model class
 */
final class OwnedObjects<C extends KubernetesObject> implements Owned<C> {

	private final List<C> objects;

	private final Supplier<? extends List<Metadata<C>>> quarantined;

	OwnedObjects(List<? extends C> objects, Supplier<? extends List<Metadata<C>>> quarantined) {
		this.quarantined = quarantined;
		this.objects = objects.stream()
			.<C>map(Objects::requireNonNull)
			.sorted(Comparator.comparing(ObjectKey::of))
			.toList();
	}

	@Override
	public List<C> list() {
		return this.objects;
	}

	@Override
	public @Nullable C single() {
		if (this.objects.size() > 1) {
			throw new IllegalStateException(
					"There are %d owned objects instead of one: %s".formatted(this.objects.size(),
							this.objects.stream()
								.limit(5)
								.map((each) -> ObjectKey.of(each).toString())
								.collect(Collectors.joining(", "))));
		}
		return this.objects.isEmpty() ? null : this.objects.get(0);
	}

	@Override
	public @Nullable C named(String name) {
		return this.objects.stream().filter((each) -> ObjectKey.of(each).name().equals(name)).findFirst().orElse(null);
	}

	@Override
	public List<Metadata<C>> quarantined() {
		return this.quarantined.get()
			.stream()
			.sorted(Comparator.<Metadata<C>, ObjectKey>comparing(ObjectKey::of))
			.toList();
	}

	@Override
	public String toString() {
		return this.objects.stream().map((each) -> ObjectKey.of(each).toString()).toList().toString();
	}

}
