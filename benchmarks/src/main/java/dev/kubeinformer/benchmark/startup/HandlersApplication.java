package dev.kubeinformer.benchmark.startup;

import java.util.concurrent.atomic.LongAdder;

import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1Deployment;
import io.kubernetes.client.openapi.models.V1Pod;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;

import dev.kubeinformer.spring.annotation.InformerHandler;
import dev.kubeinformer.spring.annotation.OnAdd;

/**
 * The same web application with three handlers.
 */
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration
public class HandlersApplication {

	/**
	 * Starts the application.
	 * @param args the Spring properties
	 */
	public static void main(String[] args) {
		Footprint.printWhenAsked();
		SpringApplication.run(HandlersApplication.class, args);
	}

	@InformerHandler(id = "pod-counter")
	static class Pods {

		private final LongAdder count = new LongAdder();

		@OnAdd
		void added(V1Pod pod) {
			this.count.increment();
		}

	}

	@InformerHandler(id = "deployment-counter")
	static class Deployments {

		private final LongAdder count = new LongAdder();

		@OnAdd
		void added(V1Deployment deployment) {
			this.count.increment();
		}

	}

	@InformerHandler(id = "config-map-counter")
	static class ConfigMaps {

		private final LongAdder count = new LongAdder();

		@OnAdd
		void added(V1ConfigMap configMap) {
			this.count.increment();
		}

	}

}
