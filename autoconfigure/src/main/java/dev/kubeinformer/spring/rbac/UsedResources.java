package dev.kubeinformer.spring.rbac;

import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

import io.kubernetes.client.common.KubernetesObject;
import org.springframework.beans.factory.BeanFactory;

import dev.kubeinformer.Informers;
import dev.kubeinformer.controller.OwnedResource;
import dev.kubeinformer.controller.ReconcilerSpec;
import dev.kubeinformer.controller.UnownedResource;
import dev.kubeinformer.controller.WatchedResource;
import dev.kubeinformer.resource.KubernetesResource;
import dev.kubeinformer.resource.ResourceType;
import dev.kubeinformer.spring.cluster.ClusterRuntime;
import dev.kubeinformer.spring.cluster.ClusterRuntimes;
import dev.kubeinformer.spring.handler.InformerHandlers;
import dev.kubeinformer.spring.reconciler.Reconcilers;

/**
 * Resources that an application handles, reconciles, owns or watches in each of its
 * clusters, whether its components are started or not. Thread-safe. Internal to the
 * starter.
 *
 * @param clusters the clusters
 * @param handlers the handlers
 * @param reconcilers the reconcilers
 */
public record UsedResources(ClusterRuntimes clusters, InformerHandlers handlers, Reconcilers reconcilers) {

	/**
	 * Returns the resources of an application.
	 * @param beans the beans of the application
	 * @return the resources
	 * @throws org.springframework.beans.factory.NoSuchBeanDefinitionException if the
	 * application has no informers
	 */
	public static UsedResources of(BeanFactory beans) {
		return new UsedResources(beans.getBean(ClusterRuntimes.class), beans.getBean(InformerHandlers.class),
				beans.getBean(Reconcilers.class));
	}

	/**
	 * Returns the classes with {@link KubernetesResource} that are used in a cluster and
	 * need a definition.
	 * @param cluster the name of the cluster
	 * @return the classes, sorted by name; empty if there is no such cluster
	 */
	public List<Class<?>> customClasses(String cluster) {
		return this.clusters.all()
			.stream()
			.filter((candidate) -> candidate.name().equals(cluster))
			.map(ClusterRuntime::informers)
			.flatMap(this::types)
			.<Class<? extends KubernetesObject>>map(ResourceType::describedClass)
			.filter((type) -> type.isAnnotationPresent(KubernetesResource.class) && !isBuiltIn(type))
			.distinct()
			.sorted(Comparator.comparing(Class::getName))
			.<Class<?>>map((type) -> type)
			.toList();
	}

	/**
	 * Returns whether a class is a model of a built-in resource in any version. The
	 * kube-apiserver serves such a resource without a definition. A definition of the
	 * class would replace that resource.
	 * @param type the class
	 * @return {@code true} if the {@link KubernetesResource} of the class names a
	 * built-in resource
	 */
	public static boolean isBuiltIn(Class<?> type) {
		KubernetesResource resource = type.getAnnotation(KubernetesResource.class);
		// Check the group first, because the comparison loads all model classes. Only
		// these groups belong to Kubernetes.
		return resource != null && (resource.group().indexOf('.') < 0 || resource.group().endsWith(".k8s.io"))
				&& ResourceType.builtIn()
					.stream()
					.anyMatch((builtIn) -> builtIn.plural().equals(resource.plural())
							&& builtIn.group().equals(resource.group()));
	}

	private Stream<ResourceType<?>> types(Informers informers) {
		Stream<ResourceType<?>> watched = informers.all().stream().map((informer) -> informer.spec().type());
		Stream<ResourceType<?>> handled = this.handlers.of(informers).stream().map((handler) -> handler.spec().type());
		Stream<ResourceType<?>> reconciled = this.reconcilers.of(informers)
			.stream()
			.flatMap((reconciler) -> types(reconciler.spec()));
		return Stream.concat(watched, Stream.concat(handled, reconciled));
	}

	private static Stream<ResourceType<?>> types(ReconcilerSpec<?> spec) {
		return Stream.of(Stream.<ResourceType<?>>of(spec.type()), spec.owned().stream().map(OwnedResource::type),
				spec.watched().stream().map(WatchedResource::type), spec.unowned().stream().map(UnownedResource::type))
			.flatMap((types) -> types);
	}

}
