package dev.kubeinformer.benchmark.cluster;

import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1Pod;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;

import dev.kubeinformer.handler.ResourceEvent;
import dev.kubeinformer.spring.annotation.InformerHandler;
import dev.kubeinformer.spring.annotation.OnAdd;
import dev.kubeinformer.spring.annotation.OnDelete;
import dev.kubeinformer.spring.annotation.Reconcile;
import dev.kubeinformer.spring.annotation.Reconciler;
import dev.kubeinformer.spring.cluster.ClusterListers;

/**
 * Application that handles the pods of its default cluster, and those of all other
 * clusters in the same way.
 */
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration
class ClustersApplication {

	@Bean
	Reader reader(ClusterListers<V1Pod> listers) {
		return new Reader(listers);
	}

	/**
	 * Reads the pods of all other clusters.
	 *
	 * @param listers the readers
	 */
	record Reader(ClusterListers<V1Pod> listers) {

	}

	/** Notes the pods that appear in the default cluster. */
	@InformerHandler(id = "pod-clock")
	static class Pods {

		final BlockingQueue<Seen> live = new LinkedBlockingQueue<>();

		@OnAdd
		void added(ResourceEvent<V1Pod> event) {
			if (!event.initial()) {
				this.live.add(
						new Seen(Objects.requireNonNull(Objects.requireNonNull(event.object().getMetadata()).getName()),
								System.nanoTime()));
			}
		}

	}

	/**
	 * Pod that appeared.
	 *
	 * @param name the name
	 * @param nanos the time at which it appeared
	 */
	record Seen(String name, long nanos) {

	}

	@InformerHandler(id = "other-pod-handler", cluster = "*")
	static class OtherPods {

		@OnAdd
		void added(V1Pod pod) {
		}

		@OnDelete
		void deleted(V1Pod pod) {
		}

	}

	@Reconciler(id = "config-map-reconciler", cluster = { "default", "*" })
	static class ConfigMaps {

		@Reconcile
		void reconcile(V1ConfigMap configMap) {
		}

	}

}
