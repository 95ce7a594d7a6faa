package dev.kubeinformer.spring.test.orders;

import org.springframework.boot.ApplicationRunner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.annotation.Bean;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;

import dev.kubeinformer.controller.Owned;
import dev.kubeinformer.spring.annotation.Reconcile;
import dev.kubeinformer.spring.annotation.Reconciler;

import io.kubernetes.client.openapi.models.V1ConfigMap;

/**
 * Application with a custom resource that it reconciles. Whatever runs says so in a
 * system property.
 */
@SpringBootApplication
@EnableScheduling
public class OrdersApplication {

	/** System property that is set by what must not run. */
	public static final String RAN = "orders.ran";

	public static void main(String[] args) {
		SpringApplication.run(OrdersApplication.class, args);
	}

	@Bean
	ApplicationRunner runner() {
		return (arguments) -> System.setProperty(RAN, "runner");
	}

	@Bean
	SmartLifecycle server() {
		return new SmartLifecycle() {

			@Override
			public void start() {
				System.setProperty(RAN, "lifecycle");
			}

			@Override
			public void stop() {
			}

			@Override
			public boolean isRunning() {
				return false;
			}

		};
	}

	@Scheduled(fixedDelay = 1)
	void tick() {
		System.setProperty(RAN, "schedule");
	}

	/**
	 * Reconciler in the application's own namespace.
	 */
	@Reconciler(id = "orderReconciler", namespaces = "@current")
	static class OrderReconciler {

		@Reconcile
		void reconcile(Order order, Owned<V1ConfigMap> configs) {
		}

	}

}
