package dev.kubeinformer.spring.test.orders;

import io.kubernetes.client.openapi.models.V1ConfigMap;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.ApplicationRunner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.annotation.Bean;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

import dev.kubeinformer.controller.Owned;
import dev.kubeinformer.spring.annotation.LeaderOnly;
import dev.kubeinformer.spring.annotation.Reconcile;
import dev.kubeinformer.spring.annotation.Reconciler;

/**
 * Application with a custom resource that it reconciles. Components that run set the
 * system property that {@code orders.ran} names.
 */
@SpringBootApplication
@EnableScheduling
public class OrdersApplication {

	private final String ran;

	OrdersApplication(@Value("${orders.ran:orders.ran}") String ran) {
		this.ran = ran;
	}

	public static void main(String[] args) {
		SpringApplication.run(OrdersApplication.class, args);
	}

	@Bean
	ApplicationRunner runner() {
		return (arguments) -> System.setProperty(this.ran, "runner");
	}

	@Bean
	SmartLifecycle server() {
		return new SmartLifecycle() {

			@Override
			public void start() {
				System.setProperty(OrdersApplication.this.ran, "lifecycle");
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
		System.setProperty(this.ran, "schedule");
	}

	/**
	 * Has work that only one replica does.
	 */
	@Component
	static class Reports {

		@LeaderOnly
		void write() {
		}

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
