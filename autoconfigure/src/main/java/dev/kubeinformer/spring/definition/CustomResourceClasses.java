package dev.kubeinformer.spring.definition;

import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Stream;

import org.springframework.beans.factory.BeanFactory;

import dev.kubeinformer.Informers;
import dev.kubeinformer.controller.OwnedResource;
import dev.kubeinformer.controller.ReconcilerContainer;
import dev.kubeinformer.controller.ReconcilerSpec;
import dev.kubeinformer.controller.UnownedResource;
import dev.kubeinformer.controller.WatchedResource;
import dev.kubeinformer.informer.Informer;
import dev.kubeinformer.informer.InformerSpec;
import dev.kubeinformer.resource.KubernetesResource;
import dev.kubeinformer.resource.ResourceType;
import dev.kubeinformer.spring.cluster.ClusterRuntimes;
import dev.kubeinformer.spring.handler.InformerHandlerContainer;
import dev.kubeinformer.spring.handler.InformerHandlers;

/**
 * Finds the classes with {@link KubernetesResource} that an application handles,
 * reconciles, owns, watches or reads from a cache. They are known once all singletons
 * were created, before the informers start. Internal to the starter.
 */
public final class CustomResourceClasses {

	private CustomResourceClasses() {
	}

	/**
	 * Returns the classes of an application by the names of its clusters.
	 * @param beans the beans of the application
	 * @return the classes, the default cluster first
	 * @throws org.springframework.beans.factory.NoSuchBeanDefinitionException if the
	 * application has no informers
	 */
	public static Map<String, SortedSet<Class<?>>> byCluster(BeanFactory beans) {
		InformerHandlers handlers = beans.getBeanProvider(InformerHandlers.class).getIfAvailable(InformerHandlers::new);
		Map<String, SortedSet<Class<?>>> classes = new LinkedHashMap<>();
		beans.getBean(ClusterRuntimes.class)
			.all()
			.forEach((cluster) -> classes.put(cluster.name(),
					of(cluster.informers(), handlers.of(cluster.informers()))));
		return classes;
	}

	/**
	 * Returns the classes of one cluster.
	 * @param informers the informers of the cluster, with their reconcilers
	 * @param handlers the handlers, which need not have requested their informers
	 * @return the classes, sorted by name
	 */
	public static SortedSet<Class<?>> of(Informers informers, Collection<InformerHandlerContainer> handlers) {
		SortedSet<Class<?>> classes = new TreeSet<>(Comparator.comparing(Class::getName));
		types(informers, handlers).forEach((type) -> classes.addAll(of(type)));
		return classes;
	}

	/**
	 * Returns the class of a resource.
	 * @param type the resource
	 * @return the class; empty if it has no {@link KubernetesResource}
	 */
	public static List<Class<?>> of(ResourceType<?> type) {
		Class<?> described = type.describedClass();
		return described.isAnnotationPresent(KubernetesResource.class) ? List.of(described) : List.of();
	}

	private static Stream<ResourceType<?>> types(Informers informers, Collection<InformerHandlerContainer> handlers) {
		Stream<InformerSpec<?>> specs = Stream.concat(informers.all().stream().map(Informer::spec),
				handlers.stream().map(InformerHandlerContainer::spec));
		return Stream.concat(specs.map(InformerSpec::type),
				informers.reconcilers().all().stream().map(ReconcilerContainer::spec).flatMap(CustomResourceClasses::types));
	}

	private static Stream<ResourceType<?>> types(ReconcilerSpec<?> spec) {
		return Stream
			.<Stream<ResourceType<?>>>of(Stream.of(spec.type()), spec.owned().stream().map(OwnedResource::type),
					spec.watched().stream().map(WatchedResource::type),
					spec.unowned().stream().map(UnownedResource::type))
			.flatMap((types) -> types);
	}

}
