package dev.kubeinformer.spring.autoconfigure;

import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.IdentityHashMap;
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
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.core.ResolvableType;

import dev.kubeinformer.Informers;
import dev.kubeinformer.resource.Metadata;
import dev.kubeinformer.resource.ResourceType;
import dev.kubeinformer.spring.cluster.ClusterRuntimes;
import dev.kubeinformer.spring.settings.ModelType;

/**
 * Finder of the beans that are transforms and indexes of a class. They are created when
 * the first informer on the class is asked for, and not before: what they depend on may
 * read other caches.
 */
final class ModelBeans implements SmartInitializingSingleton {

	/** What every informer has, as the official client calls it. */
	private static final String BUILT_IN = "namespace";

	private final ConfigurableListableBeanFactory beanFactory;

	private final Map<ModelType, Optional<TransformFunc>> transforms = new ConcurrentHashMap<>();

	private final Map<ModelType, Map<String, Function<KubernetesObject, List<String>>>> indexers = new ConcurrentHashMap<>();

	ModelBeans(ConfigurableListableBeanFactory beanFactory) {
		this.beanFactory = beanFactory;
	}

	/**
	 * Has informers that are to be built use the beans.
	 * @param builder the builder
	 */
	void applyTo(Informers.Builder builder) {
		builder.transform(this::transform).indexers(this::indexers);
	}

	/**
	 * Has informers that the application built use the beans.
	 * @param informers the informers
	 */
	void applyTo(Informers informers) {
		informers.hooks().modelDefaults(this::transform, this::indexers);
	}

	/**
	 * Refuses beans of this context that no informer would ever use, and indexes of the
	 * same name.
	 */
	@Override
	public void afterSingletonsInstantiated() {
		List<String> transforms = localNames(InformerTransform.class);
		List<String> all = localNames(InformerIndex.class);
		if (isOfParent()) {
			Stream.concat(transforms.stream(), all.stream()).findFirst().ifPresent((name) -> {
				throw new ChildModelBeanException(name);
			});
		}
		transforms.forEach((name) -> model(name, InformerTransform.class));
		Map<ResolvableType, List<String>> indexes = new LinkedHashMap<>();
		all.forEach((name) -> indexes.computeIfAbsent(model(name, InformerIndex.class), (model) -> new ArrayList<>())
			.add(name));
		indexes.forEach((model, names) -> {
			// One alone may stay lazy.
			if (names.size() > 1) {
				indexers(model, names);
			}
		});
	}

	/**
	 * Returns whether all informers of this context are those of its parent, which made
	 * them without the beans of this one.
	 * @return whether they are
	 */
	private boolean isOfParent() {
		return this.beanFactory.getParentBeanFactory() != null && localNames(ClusterRuntimes.class).isEmpty();
	}

	private @Nullable TransformFunc transform(ResourceType<?> type) {
		return once(this.transforms, type, this::findTransform).orElse(null);
	}

	private Map<String, Function<KubernetesObject, List<String>>> indexers(ResourceType<?> type) {
		return once(this.indexers, type, this::findIndexers);
	}

	/**
	 * Looks for the beans of a model once: each look goes over the types of all beans,
	 * and informers may be asked for at any rate. A bean that is made meanwhile may ask
	 * for informers, too.
	 * @param <V> what is found
	 * @param found what was found before, by model
	 * @param type the resource
	 * @param look looks for the beans
	 * @return what is found
	 */
	private <V> V once(Map<ModelType, V> found, ResourceType<?> type, Function<ResourceType<?>, V> look) {
		ModelType model = ModelType.of(type);
		V known = found.get(model);
		if (known != null) {
			return known;
		}
		V value = look.apply(type);
		if (this.beanFactory.isConfigurationFrozen()) {
			found.putIfAbsent(model, value);
		}
		return value;
	}

	private Optional<TransformFunc> findTransform(ResourceType<?> type) {
		ResolvableType beanType = beanType(InformerTransform.class, model(type));
		List<InformerTransform<KubernetesObject>> transforms = this.beanFactory
			.<InformerTransform<KubernetesObject>>getBeanProvider(beanType)
			.orderedStream()
			.toList();
		if (transforms.isEmpty()) {
			return Optional.empty();
		}
		Map<Object, String> names = new IdentityHashMap<>();
		names(beanType).stream()
			.filter(this.beanFactory::isSingleton)
			.forEach((name) -> names.put(this.beanFactory.getBean(name), name));
		return Optional.of(new BeanTransform(transforms.stream()
			.map((each) -> new BeanTransform.Named(names.getOrDefault(each, each.getClass().getName()), each))
			.toList()));
	}

	private Map<String, Function<KubernetesObject, List<String>>> findIndexers(ResourceType<?> type) {
		ResolvableType model = model(type);
		return indexers(model, names(beanType(InformerIndex.class, model)));
	}

	private Map<String, Function<KubernetesObject, List<String>>> indexers(ResolvableType model, List<String> names) {
		Map<String, String> beans = new LinkedHashMap<>();
		Map<String, Function<KubernetesObject, List<String>>> indexers = new LinkedHashMap<>();
		for (String bean : names) {
			@SuppressWarnings("unchecked")
			InformerIndex<KubernetesObject> index = this.beanFactory.getBean(bean, InformerIndex.class);
			if (index.name().equals(BUILT_IN)) {
				throw new DuplicateIndexException(bean, BUILT_IN, model.toString());
			}
			String before = beans.put(index.name(), bean);
			if (before != null) {
				throw new DuplicateIndexException(before, bean, index.name(), model.toString());
			}
			indexers.put(index.name(), (object) -> List.copyOf(index.keys(object)));
		}
		return indexers;
	}

	private List<String> localNames(Class<?> type) {
		return List.of(this.beanFactory.getBeanNamesForType(type, true, false));
	}

	private List<String> names(ResolvableType type) {
		return List.of(BeanFactoryUtils.beanNamesForTypeIncludingAncestors(this.beanFactory, type, true, false));
	}

	private static ResolvableType model(ResourceType<?> type) {
		return type.isMetadata() ? ResolvableType.forClassWithGenerics(Metadata.class, type.describedClass())
				: ResolvableType.forClass(type.objectClass());
	}

	private static ResolvableType beanType(Class<?> type, ResolvableType model) {
		return ResolvableType.forClassWithGenerics(type, model);
	}

	/**
	 * Returns the model class of a bean.
	 * @param bean the name of the bean
	 * @param type what it is
	 * @return the model class, or that of its metadata
	 * @throws UnresolvableModelBeanException if its type leaves it open
	 */
	private ResolvableType model(String bean, Class<?> type) {
		ResolvableType declared = declared(bean);
		ResolvableType model = declared.as(type).getGeneric(0);
		Class<?> objectClass = model.resolve();
		ResolvableType known = (objectClass == Metadata.class)
				? ResolvableType.forClassWithGenerics(Metadata.class, model.getGeneric(0).resolve(Object.class))
				: ResolvableType.forClass(model.resolve(Object.class));
		Class<?> described = (objectClass == Metadata.class) ? known.getGeneric(0).resolve() : objectClass;
		if (described == null || Modifier.isAbstract(described.getModifiers())
				|| !KubernetesObject.class.isAssignableFrom(described) || !isFound(bean, beanType(type, known))) {
			throw new UnresolvableModelBeanException(bean, type.getSimpleName(), declared.toString());
		}
		return known;
	}

	private boolean isFound(String bean, ResolvableType type) {
		return this.beanFactory.isTypeMatch(bean, type);
	}

	private ResolvableType declared(String bean) {
		BeanDefinition definition = this.beanFactory.containsBeanDefinition(bean)
				? this.beanFactory.getMergedBeanDefinition(bean) : null;
		if (definition instanceof RootBeanDefinition root && root.getResolvableType() != ResolvableType.NONE) {
			return root.getResolvableType();
		}
		Class<?> type = this.beanFactory.getType(bean, false);
		return (type != null) ? ResolvableType.forClass(type) : ResolvableType.NONE;
	}

}
