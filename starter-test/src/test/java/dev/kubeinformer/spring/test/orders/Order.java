package dev.kubeinformer.spring.test.orders;

import dev.kubeinformer.resource.CustomResource;
import dev.kubeinformer.resource.KubernetesResource;

/**
 * Custom resource of the application.
 */
@KubernetesResource(group = "shop.example.com", version = "v1", plural = "orders")
public class Order extends CustomResource {

	private Spec spec = new Spec();

	public Spec getSpec() {
		return this.spec;
	}

	public void setSpec(Spec spec) {
		this.spec = spec;
	}

	/**
	 * Goods of an order.
	 */
	public static class Spec {

		private String article = "";

		private int count;

		public String getArticle() {
			return this.article;
		}

		public int getCount() {
			return this.count;
		}

	}

}
