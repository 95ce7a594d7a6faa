package dev.kubeinformer.internal.informer;

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
public final class ModelDefaults {

	private final List<Source> sources = new CopyOnWriteArrayList<>();

	public ModelDefaults(Source first) {
		this.sources.add(first);
	}

	/**
	 * Adds a source. Its transform is used where those before it have none.
	 * @param source the source
	 */
	public void add(Source source) {
		this.sources.add(source);
	}

	/**
	 * Removes a source. Informers that have what it gave keep it.
	 * @param source the source
	 */
	public void remove(Source source) {
		this.sources.remove(source);
	}

	/**
	 * Returns whether the sources are those that were asked.
	 * @param asked what they gave
	 * @return whether none was added or removed since
	 */
	public boolean isCurrent(Of<?> asked) {
		return this.sources.equals(asked.sources());
	}

	/**
	 * Asks the sources. They are code of the application, and no lock may be held.
	 * @param <T> the model class
	 * @param type the resource
	 * @return what an informer on the resource has
	 */
	public <T extends KubernetesObject> Of<T> of(ResourceType<T> type) {
		List<Source> asked = List.copyOf(this.sources);
		TransformFunc transform = null;
		List<Map<String, Function<T, List<String>>>> indexers = new ArrayList<>();
		for (Source source : asked) {
			transform = (transform != null) ? transform : source.transform().apply(type);
			Map<String, Function<T, List<String>>> all = new LinkedHashMap<>();
			source.indexers().apply(type).forEach((name, function) -> all.put(name, function::apply));
			indexers.add(all);
		}
		return new Of<>(asked, transform, indexers);
	}

	/**
	 * A source.
	 *
	 * @param transform gives the transform of a resource
	 * @param indexers gives the index functions of a resource, by name
	 */
	public record Source(Function<ResourceType<?>, @Nullable TransformFunc> transform,
			Function<ResourceType<?>, Map<String, Function<KubernetesObject, List<String>>>> indexers) {

		public static final Source NONE = new Source((type) -> null, (type) -> Map.of());

	}

	/**
	 * What informers on one resource have.
	 *
	 * @param <T> the model class
	 * @param sources the sources that gave it
	 * @param transform the transform; {@code null} for none
	 * @param indexers the index functions of each source, by name
	 */
	public record Of<T extends KubernetesObject>(List<Source> sources, @Nullable TransformFunc transform,
			List<Map<String, Function<T, List<String>>>> indexers) {

	}

}
