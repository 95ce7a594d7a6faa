package com.example.fleetview;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

import io.kubernetes.client.openapi.models.V1Deployment;
import io.kubernetes.client.openapi.models.V1EnvVar;
import io.kubernetes.client.openapi.models.V1PodSpec;
import io.kubernetes.client.openapi.models.V1SecretVolumeSource;
import io.kubernetes.client.openapi.models.V1Volume;
import io.kubernetes.client.openapi.models.V1VolumeMount;
import io.kubernetes.client.util.Yaml;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.ApplicationContext;
import org.springframework.web.client.RestClient;

import dev.kubeinformer.spring.test.EmbeddedKubernetesTest;
import dev.kubeinformer.spring.test.KubernetesManifests;
import dev.kubeinformer.test.EmbeddedKubernetes;
import dev.kubeinformer.types.InformerState;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests the whole application on two Kubernetes API servers in memory.
 */
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT, properties = "spring.main.cloud-platform=kubernetes")
@EmbeddedKubernetesTest(clusters = { "east", "west" }, namespace = "fleet-view")
class FleetTests {

	@Autowired
	private Fleet fleet;

	@LocalServerPort
	private int port;

	@Test
	void olderVersionIsOutdated(@Qualifier("east") EmbeddedKubernetes east,
			@Qualifier("west") EmbeddedKubernetes west) {
		east.resources(V1Deployment.class).create(deployment("web", "registry:5000/web:v1.10.0"));
		west.resources(V1Deployment.class).create(deployment("web", "registry:5000/web:v1.9.2"));
		west.resources(V1Deployment.class).create(deployment("batch", "batch:7"));
		await().untilAsserted(() -> assertThat(this.fleet.applications()).isEqualTo(Map.of("shop/web",
				new Fleet.Application("v1.10.0", Map.of("east", "v1.10.0", "west", "v1.9.2"), List.of("west")),
				"shop/batch", new Fleet.Application("7", Map.of("west", "7"), List.of()))));
		west.resources(V1Deployment.class).update(deployment("web", "registry:5000/web:v1.10.0"));
		await().untilAsserted(() -> assertThat(this.fleet.applications().get("shop/web").outdated()).isEmpty());
	}

	@Test
	void clusterThatIsAwayKeepsItsLastState(@Qualifier("east") EmbeddedKubernetes east,
			@Qualifier("west") EmbeddedKubernetes west) {
		west.resources(V1Deployment.class).create(deployment("web", "web:1"));
		await().until(() -> this.fleet.applications().containsKey("shop/web"));
		west.stopServing();
		try {
			east.resources(V1Deployment.class).create(deployment("web", "web:2"));
			await().untilAsserted(
					() -> assertThat(this.fleet.applications().get("shop/web").outdated()).containsExactly("west"));
			await().untilAsserted(() -> assertThat(this.fleet.states())
				.isEqualTo(Map.of("east", InformerState.LIVE, "west", InformerState.STALE)));
			assertThat(RestClient.create("http://localhost:" + this.port)
				.get()
				.uri("/fleet")
				.retrieve()
				.body(String.class))
				.startsWith("{\"clusters\":{\"east\":\"LIVE\",\"west\":\"STALE\"},\"applications\":{\"shop/web\":{");
		}
		finally {
			west.resumeServing();
		}
	}

	/**
	 * {@code mvn test -Dkubernetes.manifests.write=true} writes them, for the
	 * configuration that the application has in a pod.
	 */
	@Test
	void manifestsAreUpToDate(@Autowired ApplicationContext context) {
		KubernetesManifests.of(context)
			.withImage("registry.example.com/fleet-view:0.0.1")
			.withDeployment((deployment) -> {
				V1PodSpec pod = deployment.getSpec().getTemplate().getSpec();
				pod.addVolumesItem(new V1Volume().name("kubeconfigs")
					.secret(new V1SecretVolumeSource().secretName("kubeconfigs")));
				pod.getContainers()
					.get(0)
					.addVolumeMountsItem(
							new V1VolumeMount().name("kubeconfigs").mountPath("/kubeconfigs").readOnly(true))
					.addEnvItem(new V1EnvVar().name("EAST_KUBECONFIG").value("/kubeconfigs/east"))
					.addEnvItem(new V1EnvVar().name("WEST_KUBECONFIG").value("/kubeconfigs/west"));
			})
			.assertUpToDate(Path.of("src/main/k8s"));
	}

	static V1Deployment deployment(String name, String image) {
		return Yaml.loadAs("""
				apiVersion: apps/v1
				kind: Deployment
				metadata: { name: %1$s, namespace: shop }
				spec:
				  selector:
				    matchLabels: { app: %1$s }
				  template:
				    metadata:
				      labels: { app: %1$s }
				    spec:
				      containers: [{ name: main, image: "%2$s" }]
				""".formatted(name, image), V1Deployment.class);
	}

}
