package dev.kubeinformer;

import java.time.Duration;

import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.JSON;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import dev.kubeinformer.controller.ReconcilerContainer;
import dev.kubeinformer.controller.ReconcilerSpec;
import dev.kubeinformer.controller.Result;
import dev.kubeinformer.resource.CustomResource;
import dev.kubeinformer.resource.KubernetesResource;
import dev.kubeinformer.resource.UnknownResourceTypeException;
import dev.kubeinformer.test.ApiResources;
import dev.kubeinformer.test.EmbeddedKubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests of classes that extend {@link CustomResource}.
 */
class CustomResourceTests {

	@Test
	void objectHasTheApiVersionAndKindOfItsAnnotation() {
		assertThat(new Lamp().getApiVersion()).isEqualTo("example.com/v1");
		assertThat(new Lamp().getKind()).isEqualTo("Lamp");
		assertThat(new Renamed().getKind()).isEqualTo("Torch");
		assertThat(new Core().getApiVersion()).isEqualTo("v1");
	}

	@Test
	void classWithoutTheAnnotationIsRefusedByName() {
		assertThatExceptionOfType(UnknownResourceTypeException.class).isThrownBy(Unmapped::new)
			.withMessageContaining(Unmapped.class.getName())
			.withMessageContaining("@KubernetesResource");
	}

	@Test
	void officialClientWritesAndReadsIt() {
		Lamp lamp = lamp();
		String json = JSON.serialize(lamp);
		assertThat(json).contains("\"apiVersion\":\"example.com/v1\"", "\"kind\":\"Lamp\"", "\"name\":\"desk\"");
		Lamp read = JSON.deserialize(json, Lamp.class);
		assertThat(read.getMetadata()).isEqualTo(lamp.getMetadata());
		assertThat(read.brightness).isEqualTo(7);
	}

	@Test
	void reconcilerReadsItAndWritesItsStatus() throws InterruptedException {
		try (EmbeddedKubernetes api = EmbeddedKubernetes.start()) {
			api.serve("example.com", "v1", "lamps", "Lamp", true);
			ApiResources<Lamp> lamps = api.resources(Lamp.class, "example.com", "v1", "lamps");
			lamps.create(lamp());
			ApiClient client = new ApiClient();
			client.setBasePath(api.url());
			try (Informers informers = Informers.builder(client).build()) {
				ReconcilerContainer container = informers
					.controller(ReconcilerSpec.of("lamps", Lamp.class, (lamp, run) -> {
						run.status((changed) -> changed.status.watts = 2 * lamp.brightness);
						return Result.done();
					}));
				container.start();
				assertThat(container.awaitIdle(Duration.ofSeconds(30))).isTrue();
				assertThat(container.status().failing()).isEmpty();
			}
			assertThat(lamps.get("default", "desk").status.watts).isEqualTo(14);
		}
	}

	private static Lamp lamp() {
		Lamp lamp = new Lamp();
		lamp.setMetadata(new V1ObjectMeta().namespace("default").name("desk"));
		lamp.brightness = 7;
		return lamp;
	}

	@KubernetesResource(group = "example.com", version = "v1", plural = "lamps")
	static class Lamp extends CustomResource {

		int brightness;

		@Nullable LampStatus status;

	}

	static class LampStatus {

		int watts;

	}

	@KubernetesResource(group = "example.com", version = "v1", plural = "torches", kind = "Torch")
	static class Renamed extends CustomResource {

	}

	@KubernetesResource(group = "", version = "v1", plural = "cores")
	static class Core extends CustomResource {

	}

	static class Unmapped extends CustomResource {

	}

}
