package dev.kubeinformer.maven.orders;

import io.kubernetes.client.openapi.models.V1ConfigMap;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

import dev.kubeinformer.controller.Owned;
import dev.kubeinformer.resource.CustomResource;
import dev.kubeinformer.resource.KubernetesResource;
import dev.kubeinformer.spring.annotation.Reconcile;
import dev.kubeinformer.spring.annotation.Reconciler;

/**
 * Application whose manifests the tests write.
 */
@SpringBootApplication
public class OrdersApplication {

	public static void main(String[] args) {
		SpringApplication.run(OrdersApplication.class, args);
	}

	/**
	 * Reconciler of the orders.
	 */
	@Reconciler
	static class OrderReconciler {

		@Reconcile
		void reconcile(Order order, Owned<V1ConfigMap> configs) {
		}

	}

	/**
	 * Custom resource.
	 */
	@KubernetesResource(group = "shop.example.com", version = "v1", plural = "orders")
	public static class Order extends CustomResource {

		private String article = "";

		public String getArticle() {
			return this.article;
		}

	}

}
