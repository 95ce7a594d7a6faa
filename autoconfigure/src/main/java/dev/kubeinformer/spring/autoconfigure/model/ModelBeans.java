package dev.kubeinformer.spring.autoconfigure.model;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.Stream;

import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.informer.TransformFunc;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

import dev.kubeinformer.Informers;
import dev.kubeinformer.informer.InformerListener;
import dev.kubeinformer.resource.ResourceType;
import dev.kubeinformer.spring.cluster.ClusterRuntimes;
import dev.kubeinformer.spring.settings.InformerConfigurationException;
import dev.kubeinformer.spring.settings.ModelType;

/**
 * Finds the beans with transforms and indexes of a class. They are created only when the
 * first informer on the class is requested, because their dependencies may read other
 * caches.
 */
public final class ModelBeans implements SmartInitializingSingleton {

	/** Name of the official client's built-in index, which every informer has. */
	private static final String BUILT_IN = "namespace";

	private final ConfigurableListableBeanFactory beanFactory;

	private final TypedBeans beans;

	/**
	 * Marker listener of informers that were built with the beans; builder methods cannot
	 * remove it.
	 */
	private final InformerListener mark = new InformerListener() {
	};

	private final Map<ModelType, Optional<TransformFunc>> transforms = new ConcurrentHashMap<>();

	private final Map<ModelType, Map<String, Function<KubernetesObject, List<String>>>> indexers = new ConcurrentHashMap<>();

	public ModelBeans(ConfigurableListableBeanFactory beanFactory) {
		this.beanFactory = beanFactory;
		this.beans = new TypedBeans(beanFactory);
	}

	/**
	 * Applies the beans to informers that are being built.
	 * @param builder the builder
	 */
	public void applyTo(Informers.Builder builder) {
		builder.transform(this::transform).indexers(this::indexers).listener(this.mark);
	}

	/**
	 * Returns whether informers were built with the beans.
	 * @param informers the informers
	 * @return {@code true} if the beans were applied to their builder
	 */
	public boolean wereAppliedTo(Informers informers) {
		return informers.hooks().hasListener(this.mark);
	}

	/**
	 * Returns the names of all beans, including those of parent contexts.
	 * @return the names
	 */
	public List<String> names() {
		return Stream.of(InformerTransform.class, InformerIndex.class)
			.flatMap((type) -> this.beans.all(type).stream())
			.toList();
	}

	/**
	 * Rejects beans of this context that no informer would use, and indexes with the same
	 * name.
	 */
	@Override
	public void afterSingletonsInstantiated() {
		List<String> transforms = this.beans.local(InformerTransform.class);
		List<String> all = this.beans.local(InformerIndex.class);
		if (isOfParent()) {
			Stream.concat(transforms.stream(), all.stream()).findFirst().ifPresent((name) -> {
				throw new InformerConfigurationException(
						("Bean '%s' is a transform or an index in a child context, but the informers are those of its parent "
								+ "context, which do not use it")
							.formatted(name),
						"Declare the bean in the parent context: all readers of the caches use it.");
			});
		}
		transforms.forEach((name) -> this.beans.model(name, InformerTransform.class));
		Map<ModelType, List<String>> indexes = new LinkedHashMap<>();
		all.forEach((name) -> indexes
			.computeIfAbsent(this.beans.model(name, InformerIndex.class), (model) -> new ArrayList<>())
			.add(name));
		// Lazy and scoped beans are checked when the first informer on the class is
		// requested.
		indexes.forEach((model, names) -> indexers(model, names.stream().filter(this.beans::isPresent).toList()));
	}

	/**
	 * Returns whether all informers of this context belong to its parent. The parent
	 * created them without the beans of this context.
	 * @return {@code true} if all informers belong to the parent
	 */
	private boolean isOfParent() {
		return this.beanFactory.getParentBeanFactory() != null
				&& this.beanFactory.getBeanNamesForType(ClusterRuntimes.class, true, false).length == 0;
	}

	private @Nullable TransformFunc transform(ResourceType<?> type) {
		return once(this.transforms, type, this::findTransform).orElse(null);
	}

	private Map<String, Function<KubernetesObject, List<String>>> indexers(ResourceType<?> type) {
		return once(this.indexers, type, (model) -> indexers(model, this.beans.names(InformerIndex.class, model)));
	}

	/**
	 * Searches the beans of a model once, and remembers the result. A search looks at the
	 * type of every bean, and informers may be requested often. The search may create
	 * beans, and these may request informers themselves.
	 * @param <V> the type of the result
	 * @param found the earlier results by model
	 * @param type the resource
	 * @param look the search
	 * @return the result
	 */
	private <V> V once(Map<ModelType, V> found, ResourceType<?> type, Function<ModelType, V> look) {
		ModelType model = ModelType.of(type);
		V known = found.get(model);
		if (known != null) {
			return known;
		}
		V value = look.apply(model);
		if (this.beanFactory.isConfigurationFrozen()) {
			found.putIfAbsent(model, value);
		}
		return value;
	}

	private Optional<TransformFunc> findTransform(ModelType model) {
		List<BeanTransform.Named> transforms = new ArrayList<>();
		this.beans.<InformerTransform<KubernetesObject>>ordered(this.beans.names(InformerTransform.class, model))
			.forEach((bean, transform) -> transforms.add(new BeanTransform.Named(bean, transform)));
		return transforms.isEmpty() ? Optional.empty() : Optional.of(new BeanTransform(transforms));
	}

	private Map<String, Function<KubernetesObject, List<String>>> indexers(ModelType model, List<String> names) {
		Map<String, String> beans = new LinkedHashMap<>();
		Map<String, Function<KubernetesObject, List<String>>> indexers = new LinkedHashMap<>();
		this.beans.<InformerIndex<KubernetesObject>>get(names).forEach((bean, index) -> {
			if (index.name().equals(BUILT_IN)) {
				throw new InformerConfigurationException(
						"Bean '%s' is an index '%s' of '%s', and all informers have one of that name".formatted(bean,
								BUILT_IN, model),
						"Give it another name.");
			}
			String before = beans.put(index.name(), bean);
			if (before != null) {
				throw new InformerConfigurationException("Beans '%s' and '%s' are both an index '%s' of '%s'"
					.formatted(before, bean, index.name(), model), "Give one of them another name, or remove it.");
			}
			indexers.put(index.name(), (object) -> List.copyOf(index.keys(object)));
		});
		return indexers;
	}

}
