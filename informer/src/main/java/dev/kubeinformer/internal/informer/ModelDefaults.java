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
 * What informers have from the beginning, by their resource.
 *
 * @param transform gives the transform of a resource
 * @param indexers gives the index functions of a resource, by name
 */
public record ModelDefaults(Function<ResourceType<?>, @Nullable TransformFunc> transform,
		Function<ResourceType<?>, Map<String, Function<KubernetesObject, List<String>>>> indexers) {

	/** Neither a transform nor an index. */
	public static final ModelDefaults NONE = new ModelDefaults((type) -> null, (type) -> Map.of());

	/**
	 * Asks for what an informer has. This calls code of the application, and no lock may
	 * be held.
	 * @param <T> the model class
	 * @param type the resource
	 * @return what an informer on the resource has
	 */
	public <T extends KubernetesObject> Of<T> of(ResourceType<T> type) {
		Map<String, Function<T, List<String>>> all = new LinkedHashMap<>();
		this.indexers.apply(type).forEach((name, function) -> all.put(name, function::apply));
		return new Of<>(this.transform.apply(type), all);
	}

	/**
	 * What informers on one resource have.
	 *
	 * @param <T> the model class
	 * @param transform the transform; {@code null} for none
	 * @param indexers the index functions, by name
	 */
	public record Of<T extends KubernetesObject>(@Nullable TransformFunc transform,
			Map<String, Function<T, List<String>>> indexers) {

	}

}
