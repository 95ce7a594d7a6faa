package dev.kubeinformer.spring.test;

import java.lang.reflect.Type;

import io.kubernetes.client.common.KubernetesObject;
import org.springframework.beans.factory.config.DependencyDescriptor;

import dev.kubeinformer.test.ApiResources;
import dev.kubeinformer.test.EmbeddedKubernetes;

/**
 * Factory methods of the beans for the embedded API of a named cluster.
 */
final class EmbeddedClusterBeans {

	private EmbeddedClusterBeans() {
	}

	static EmbeddedKubernetes server(EmbeddedKubernetesSettings settings) {
		return settings.start();
	}

	static EmbeddedKubernetesConnectionDetails details(EmbeddedKubernetes kubernetes,
			EmbeddedKubernetesSettings settings) {
		return new EmbeddedKubernetesConnectionDetails(kubernetes.url(), settings.namespace());
	}

	static <T extends KubernetesObject> ApiResources<T> resources(EmbeddedKubernetes kubernetes,
			DependencyDescriptor injectionPoint) {
		Class<?> model = injectionPoint.getResolvableType().getGeneric().resolve();
		if (model == null) {
			throw unnamed(injectionPoint.getResolvableType().getType(), injectionPoint);
		}
		return resources(kubernetes, model);
	}

	@SuppressWarnings("unchecked")
	private static <T extends KubernetesObject> ApiResources<T> resources(EmbeddedKubernetes kubernetes,
			Class<?> model) {
		return kubernetes.resources((Class<T>) model.asSubclass(KubernetesObject.class));
	}

	private static IllegalArgumentException unnamed(Type type, DependencyDescriptor injectionPoint) {
		return new IllegalArgumentException("'%s' at %s must name its model, as ApiResources<V1Pod> does"
			.formatted(type.getTypeName(), injectionPoint));
	}

}
