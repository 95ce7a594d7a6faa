package dev.kubeinformer.benchmark.startup;

import java.util.concurrent.atomic.LongAdder;

import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1DaemonSet;
import io.kubernetes.client.openapi.models.V1Deployment;
import io.kubernetes.client.openapi.models.V1Job;
import io.kubernetes.client.openapi.models.V1PersistentVolumeClaim;
import io.kubernetes.client.openapi.models.V1ReplicaSet;
import io.kubernetes.client.openapi.models.V1Secret;
import io.kubernetes.client.openapi.models.V1Service;
import io.kubernetes.client.openapi.models.V1ServiceAccount;
import io.kubernetes.client.openapi.models.V1StatefulSet;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnThreading;
import org.springframework.boot.thread.Threading;
import org.springframework.context.annotation.Bean;
import org.springframework.core.task.VirtualThreadTaskExecutor;

import dev.kubeinformer.spring.annotation.InformerHandler;
import dev.kubeinformer.spring.annotation.OnAdd;
import dev.kubeinformer.spring.autoconfigure.cluster.InformerCustomizer;

/**
 * The same web application with a handler for each of ten resources, which are those of a
 * small cluster.
 */
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration
public class TenHandlersApplication {

	/**
	 * Starts the application.
	 * @param args the Spring properties
	 */
	public static void main(String[] args) {
		Footprint.printWhenAsked();
		SpringApplication.run(TenHandlersApplication.class, args);
	}

	/**
	 * Runs informers on virtual threads, too, if {@code spring.threads.virtual.enabled}
	 * is set.
	 * @return the customizer
	 */
	@Bean
	@ConditionalOnThreading(Threading.VIRTUAL)
	InformerCustomizer virtualThreads() {
		return (builder) -> builder.threadFactory(new VirtualThreadTaskExecutor().getVirtualThreadFactory());
	}

	@InformerHandler(id = "config-maps-counter")
	static class ConfigMaps {

		private final LongAdder count = new LongAdder();

		@OnAdd
		void added(V1ConfigMap object) {
			this.count.increment();
		}

	}

	@InformerHandler(id = "secrets-counter")
	static class Secrets {

		private final LongAdder count = new LongAdder();

		@OnAdd
		void added(V1Secret object) {
			this.count.increment();
		}

	}

	@InformerHandler(id = "services-counter")
	static class Services {

		private final LongAdder count = new LongAdder();

		@OnAdd
		void added(V1Service object) {
			this.count.increment();
		}

	}

	@InformerHandler(id = "service-accounts-counter")
	static class ServiceAccounts {

		private final LongAdder count = new LongAdder();

		@OnAdd
		void added(V1ServiceAccount object) {
			this.count.increment();
		}

	}

	@InformerHandler(id = "claims-counter")
	static class Claims {

		private final LongAdder count = new LongAdder();

		@OnAdd
		void added(V1PersistentVolumeClaim object) {
			this.count.increment();
		}

	}

	@InformerHandler(id = "deployments-counter")
	static class Deployments {

		private final LongAdder count = new LongAdder();

		@OnAdd
		void added(V1Deployment object) {
			this.count.increment();
		}

	}

	@InformerHandler(id = "stateful-sets-counter")
	static class StatefulSets {

		private final LongAdder count = new LongAdder();

		@OnAdd
		void added(V1StatefulSet object) {
			this.count.increment();
		}

	}

	@InformerHandler(id = "daemon-sets-counter")
	static class DaemonSets {

		private final LongAdder count = new LongAdder();

		@OnAdd
		void added(V1DaemonSet object) {
			this.count.increment();
		}

	}

	@InformerHandler(id = "replica-sets-counter")
	static class ReplicaSets {

		private final LongAdder count = new LongAdder();

		@OnAdd
		void added(V1ReplicaSet object) {
			this.count.increment();
		}

	}

	@InformerHandler(id = "jobs-counter")
	static class Jobs {

		private final LongAdder count = new LongAdder();

		@OnAdd
		void added(V1Job object) {
			this.count.increment();
		}

	}

}
