package dev.kubeinformer.spring.test;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;

import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Pod;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

import dev.kubeinformer.spring.annotation.InformerHandler;
import dev.kubeinformer.spring.annotation.OnAdd;
import dev.kubeinformer.spring.annotation.OnDelete;
import dev.kubeinformer.spring.autoconfigure.InformerAutoConfiguration;
import dev.kubeinformer.spring.autoconfigure.client.KubernetesClientAutoConfiguration;

/**
 * Configuration of an application with a handler of pods.
 */
@Configuration(proxyBeanMethods = false)
@ImportAutoConfiguration({ KubernetesClientAutoConfiguration.class, InformerAutoConfiguration.class })
@Import(InformersConfiguration.PodHandler.class)
class InformersConfiguration {

	static V1Pod pod(String name) {
		return new V1Pod().metadata(new V1ObjectMeta().namespace("default").name(name));
	}

	/** Handler that records its deliveries, and can be held up. */
	@InformerHandler(id = "podHandler")
	static class PodHandler {

		private final List<String> calls = new CopyOnWriteArrayList<>();

		private volatile @Nullable CountDownLatch gate;

		@OnAdd
		void added(V1Pod pod) {
			this.calls.add("ADD " + pod.getMetadata().getName());
		}

		@OnDelete
		void removed(V1Pod pod) throws InterruptedException {
			CountDownLatch closed = this.gate;
			if (closed != null) {
				closed.await();
			}
			this.calls.add("DELETE " + pod.getMetadata().getName());
		}

		List<String> calls() {
			return List.copyOf(this.calls);
		}

		/**
		 * Holds deletes up.
		 * @return the gate, to be opened
		 */
		CountDownLatch close() {
			CountDownLatch closed = new CountDownLatch(1);
			this.gate = closed;
			return closed;
		}

	}

}
