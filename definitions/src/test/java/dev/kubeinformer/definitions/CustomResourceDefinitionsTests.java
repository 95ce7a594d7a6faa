package dev.kubeinformer.definitions;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.custom.Quantity;
import io.kubernetes.client.openapi.models.V1Condition;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1PodSpec;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotNull;
import org.junit.jupiter.api.Test;

import dev.kubeinformer.definition.PrinterColumn;
import dev.kubeinformer.resource.KubernetesResource;

import static org.assertj.core.api.Assertions.assertThat;

class CustomResourceDefinitionsTests {

	@Test
	void classBecomesADefinition() {
		assertThat(CustomResourceDefinitions.of(Foo.class).all()).hasSize(1);
	}

	@KubernetesResource(group = "example.com", version = "v1", plural = "foos")
	static class Foo implements KubernetesObject {

		private String apiVersion;

		private String kind;

		private V1ObjectMeta metadata;

		private Spec spec = new Spec();

		private Status status;

		@Override
		public V1ObjectMeta getMetadata() {
			return this.metadata;
		}

		@Override
		public String getApiVersion() {
			return this.apiVersion;
		}

		@Override
		public String getKind() {
			return this.kind;
		}

	}

	static class Spec {

		@PrinterColumn(name = "Replicas")
		@Min(0)
		int replicas = 3;

		@NotNull
		String image;

		Quantity memory;

		Map<String, Object> anything;

		Map<String, List<@Min(3) Integer>> numbers;

		V1PodSpec template;

	}

	static class Status {

		List<V1Condition> conditions = new ArrayList<>();

	}

}
