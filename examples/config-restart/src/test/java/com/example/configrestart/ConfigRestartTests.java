package com.example.configrestart;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1Deployment;
import io.kubernetes.client.openapi.models.V1Namespace;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Secret;
import io.kubernetes.client.util.Yaml;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.ApplicationContext;

import dev.kubeinformer.controller.ReconcilerRegistry;
import dev.kubeinformer.informer.RequiredRbac;
import dev.kubeinformer.spring.test.EmbeddedKubernetesTest;
import dev.kubeinformer.spring.test.KubernetesManifests;
import dev.kubeinformer.test.ApiResources;
import dev.kubeinformer.test.EmbeddedKubernetes;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests the whole application on a Kubernetes API server in memory.
 */
@SpringBootTest(properties = "spring.main.cloud-platform=kubernetes")
@EmbeddedKubernetesTest(namespace = "config-restart")
class ConfigRestartTests {

	private ApiResources<V1Deployment> deployments;

	private ApiResources<V1ConfigMap> configMaps;

	private ApiResources<V1Secret> secrets;

	@Autowired
	private ReconcilerRegistry reconcilers;

	@BeforeEach
	void createTheDeployment(EmbeddedKubernetes kubernetes) throws InterruptedException {
		kubernetes.resources(V1Namespace.class).create(new V1Namespace().metadata(new V1ObjectMeta().name("shop")));
		this.deployments = kubernetes.resources(V1Deployment.class);
		this.configMaps = kubernetes.resources(V1ConfigMap.class);
		this.secrets = kubernetes.resources(V1Secret.class);
		this.configMaps.create(configMap("settings", "blue"));
		this.configMaps.create(configMap("unused", "blue"));
		this.secrets.create(secret("database", "first"));
		this.deployments.create(deployment());
		settle();
	}

	@Test
	void changeOfAConfigMapRestartsThePods() throws InterruptedException {
		String before = hash();
		assertThat(before).isNotNull();
		this.configMaps.update(configMap("settings", "green"));
		settle();
		assertThat(hash()).isNotEqualTo(before);
		this.configMaps.update(configMap("settings", "blue"));
		settle();
		assertThat(hash()).isEqualTo(before);
	}

	@Test
	void changeOfASecretRestartsThePods() throws InterruptedException {
		String before = hash();
		this.secrets.update(secret("database", "second"));
		settle();
		assertThat(hash()).isNotEqualTo(before);
		this.secrets.delete("shop", "database");
		settle();
		assertThat(hash()).isNotEqualTo(before);
	}

	@Test
	void nothingElseRestartsThePods() throws InterruptedException {
		V1Deployment before = this.deployments.get("shop", "web");
		this.configMaps.update(configMap("unused", "green"));
		this.configMaps.edit("shop", "settings", (settings) -> settings.getMetadata().putLabelsItem("tier", "web"));
		settle();
		this.reconcilers.get("configRestart").stop();
		this.reconcilers.get("configRestart").start();
		settle();
		assertThat(this.deployments.get("shop", "web").getMetadata().getResourceVersion())
			.isEqualTo(before.getMetadata().getResourceVersion());
	}

	@Test
	void deploymentWithoutTheLabelIsLeftAlone() throws InterruptedException {
		V1Deployment other = deployment();
		other.getMetadata().name("other").setLabels(null);
		this.deployments.create(other);
		this.configMaps.update(configMap("settings", "green"));
		settle();
		assertThat(this.deployments.get("shop", "other").getSpec().getTemplate().getMetadata().getAnnotations())
			.isNullOrEmpty();
	}

	/**
	 * {@code mvn test -Dkubernetes.manifests.write=true} writes them, for the
	 * configuration that the application has in a pod.
	 */
	@Test
	void manifestsAreUpToDate(@Autowired ApplicationContext context) {
		KubernetesManifests.of(context)
			.withImage("registry.example.com/config-restart:0.0.1")
			.withRule(new RequiredRbac("apps", "deployments", List.of(), List.of("patch"), null))
			.assertUpToDate(Path.of("src/main/k8s"));
	}

	private String hash() {
		return this.deployments.get("shop", "web")
			.getSpec()
			.getTemplate()
			.getMetadata()
			.getAnnotations()
			.get(ConfigRestart.HASH);
	}

	private void settle() throws InterruptedException {
		assertThat(this.reconcilers.awaitIdle(Duration.ofSeconds(30))).isTrue();
		assertThat(this.reconcilers.get("configRestart").status().failing()).isEmpty();
	}

	static V1Deployment deployment() {
		return Yaml.loadAs("""
				apiVersion: apps/v1
				kind: Deployment
				metadata:
				  name: web
				  namespace: shop
				  labels:
				    example.com/config-restart: "true"
				spec:
				  selector:
				    matchLabels: { app: web }
				  template:
				    metadata:
				      labels: { app: web }
				    spec:
				      containers:
				        - name: web
				          image: nginx:1.29
				          envFrom:
				            - configMapRef: { name: settings }
				          env:
				            - name: PASSWORD
				              valueFrom:
				                secretKeyRef: { name: database, key: password }
				""", V1Deployment.class);
	}

	static V1ConfigMap configMap(String name, String color) {
		return new V1ConfigMap().metadata(new V1ObjectMeta().namespace("shop").name(name)).putDataItem("color", color);
	}

	private static V1Secret secret(String name, String password) {
		return new V1Secret().metadata(new V1ObjectMeta().namespace("shop").name(name))
			.data(Map.of("password", password.getBytes(StandardCharsets.UTF_8)));
	}

}
