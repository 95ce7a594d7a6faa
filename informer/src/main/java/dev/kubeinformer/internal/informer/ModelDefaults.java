package dev.kubeinformer.internal.informer;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.informer.TransformFunc;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.resource.ResourceType;

/**
 * Defaults of informers by their resource.
 *
 * @param transform returns the transform of a resource
 * @param indexers returns the index functions of a resource, by name
 */
public record ModelDefaults(Function<ResourceType<?>, @Nullable TransformFunc> transform,
		Function<ResourceType<?>, Map<String, Function<KubernetesObject, List<String>>>> indexers) {

	/** Defaults with neither transforms nor indexes. */
	public static final ModelDefaults NONE = new ModelDefaults((type) -> null, (type) -> Map.of());

	/**
	 * Returns the defaults of an informer. This calls application code, so no lock may be
	 * held.
	 * @param <T> the model class
	 * @param type the resource
	 * @return the defaults of informers on the resource
	 */
	public <T extends KubernetesObject> Of<T> of(ResourceType<T> type) {
		Map<String, Function<T, List<String>>> all = new LinkedHashMap<>();
		this.indexers.apply(type).forEach((name, function) -> all.put(name, function::apply));
		return new Of<>(this.transform.apply(type), all);
	}

	/**
	 * Defaults of the informers on one resource.
	 *
	 * @param <T> the model class
	 * @param transform the transform; {@code null} for none
	 * @param indexers the index functions, by name
	 */
	public record Of<T extends KubernetesObject>(@Nullable TransformFunc transform,
			Map<String, Function<T, List<String>>> indexers) {

	}

}
