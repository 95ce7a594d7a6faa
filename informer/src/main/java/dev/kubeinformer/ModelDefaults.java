package dev.kubeinformer;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;

import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.informer.TransformFunc;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.resource.ResourceType;

/**
 * What informers have from the beginning, by their resource: a transform and indexes.
 */
final class ModelDefaults {

	private final List<Source> sources = new CopyOnWriteArrayList<>();

	ModelDefaults(Source first) {
		this.sources.add(first);
	}

	/**
	 * Adds a source. Its transform is used where those before it have none.
	 * @param source the source
	 */
	void add(Source source) {
		this.sources.add(source);
	}

	/**
	 * Asks the sources. They are code of the application, and no lock may be held.
	 * @param <T> the model class
	 * @param type the resource
	 * @return what an informer on the resource has
	 */
	<T extends KubernetesObject> Of<T> of(ResourceType<T> type) {
		TransformFunc transform = null;
		List<Map<String, Function<T, List<String>>>> indexers = new ArrayList<>();
		for (Source source : this.sources) {
			transform = (transform != null) ? transform : source.transform().apply(type);
			Map<String, Function<T, List<String>>> all = new LinkedHashMap<>();
			source.indexers().apply(type).forEach((name, function) -> all.put(name, function::apply));
			indexers.add(all);
		}
		return new Of<>(transform, indexers);
	}

	/**
	 * A source.
	 *
	 * @param transform gives the transform of a resource
	 * @param indexers gives the index functions of a resource, by name
	 */
	record Source(Function<ResourceType<?>, @Nullable TransformFunc> transform,
			Function<ResourceType<?>, Map<String, Function<KubernetesObject, List<String>>>> indexers) {

		static final Source NONE = new Source((type) -> null, (type) -> Map.of());

	}

	/**
	 * What informers on one resource have.
	 *
	 * @param <T> the model class
	 * @param transform the transform; {@code null} for none
	 * @param indexers the index functions of each source, by name
	 */
	record Of<T extends KubernetesObject>(@Nullable TransformFunc transform,
			List<Map<String, Function<T, List<String>>>> indexers) {

		/**
		 * Gives them to an informer that is new, or that does not run and has no
		 * transform.
		 * @param informer the informer
		 */
		void applyTo(SharedInformer<T> informer) {
			if (this.transform != null) {
				informer.setTransform(this.transform);
			}
			this.indexers.forEach(informer::addIndexers);
		}

	}

}
