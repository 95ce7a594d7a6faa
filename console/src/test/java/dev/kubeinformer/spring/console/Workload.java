package dev.kubeinformer.spring.console;

import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.openapi.models.V1Service;

import dev.kubeinformer.spring.annotation.InformerHandler;
import dev.kubeinformer.spring.annotation.OnAdd;
import dev.kubeinformer.spring.annotation.Reconcile;
import dev.kubeinformer.spring.annotation.Reconciler;
import dev.kubeinformer.test.EmbeddedKubernetes;

/**
 * Handlers and a reconciler, of which some fail.
 */
final class Workload {

	static final List<Class<?>> BEANS = List.of(PodHandler.class, ConfigMapHandler.class, ServiceReconciler.class);

	private Workload() {
	}

	static void fill(EmbeddedKubernetes kubernetes) {
		kubernetes.resources(V1Pod.class).fill(12, (i) -> new V1Pod().metadata(metadata("web-" + i)));
		kubernetes.resources(V1ConfigMap.class).create(new V1ConfigMap().metadata(metadata("settings")));
		kubernetes.resources(V1Service.class).create(new V1Service().metadata(metadata("checkout")));
		kubernetes.resources(V1Service.class).create(new V1Service().metadata(metadata("broken")));
	}

	static V1ObjectMeta metadata(String name) {
		return new V1ObjectMeta().namespace("shop").name(name);
	}

	@InformerHandler(id = "podHandler")
	static class PodHandler {

		@OnAdd
		void added(V1Pod pod) {
		}

	}

	@InformerHandler(id = "configMapHandler")
	static class ConfigMapHandler {

		@OnAdd
		void added(V1ConfigMap configMap) {
			if (configMap.getMetadata().getName().startsWith("broken")) {
				throw new IllegalStateException("secret words of the object");
			}
		}

	}

	@Reconciler(id = "serviceReconciler")
	static class ServiceReconciler {

		final Set<String> seen = ConcurrentHashMap.newKeySet();

		@Reconcile
		void reconcile(V1Service service) {
			this.seen.add(service.getMetadata().getName());
			if (service.getMetadata().getName().equals("broken")) {
				throw new IllegalStateException("secret words of the object");
			}
		}

	}

}
