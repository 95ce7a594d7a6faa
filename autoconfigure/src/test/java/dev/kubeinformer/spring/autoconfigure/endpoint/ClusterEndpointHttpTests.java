package dev.kubeinformer.spring.autoconfigure.endpoint;

import java.net.http.HttpResponse;
import java.util.List;

import com.jayway.jsonpath.JsonPath;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1Node;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.openapi.models.V1Secret;
import io.kubernetes.client.util.ClientBuilder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.WebApplicationType;

import dev.kubeinformer.spring.annotation.InformerHandler;
import dev.kubeinformer.spring.annotation.OnAdd;
import dev.kubeinformer.spring.annotation.Reconcile;
import dev.kubeinformer.spring.annotation.Reconciler;
import dev.kubeinformer.spring.cluster.InformerClusters;
import dev.kubeinformer.test.EmbeddedKubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests of the endpoint of an application with several clusters.
 */
@Tag("slow")
class ClusterEndpointHttpTests {

	private final EmbeddedKubernetes kubernetes = EmbeddedKubernetes.start();

	private final EmbeddedKubernetes edge = EmbeddedKubernetes.start();

	private EndpointApplication application;

	@AfterEach
	void close() {
		if (this.application != null) {
			this.application.close();
		}
		this.edge.close();
		this.kubernetes.close();
	}

	@Test
	void allShouldBeShownWithTheirCluster() {
		run();
		String body = this.application.get("").body();
		assertThat(JsonPath.<List<String>>read(body, "$.handlers[*].id")).containsExactly("edge.nodeHandler",
				"edge.podHandler", "podHandler");
		assertThat(JsonPath.<List<String>>read(body, "$.handlers[*].cluster")).containsExactly("edge", "edge",
				"default");
		assertThat(JsonPath.<List<String>>read(body, "$.reconcilers[*].id")).containsExactly("edge.configReconciler");
		assertThat(JsonPath.<List<String>>read(body, "$.reconcilers[*].cluster")).containsExactly("edge");
		assertThat(JsonPath.<List<String>>read(body, "$.informers[?(@.cluster == 'edge')].id"))
			.containsExactly("edge.configmaps", "edge.nodes", "edge.pods");
		assertThat(JsonPath.<List<String>>read(body, "$.informers[?(@.cluster == 'default')].id"))
			.containsExactly("pods");
		assertThat(JsonPath.<List<String>>read(body, "$.informers[?(@.id == 'edge.pods')].handlers[*]"))
			.containsExactly("edge.podHandler");
	}

	@Test
	void oneShouldBeFoundByItsIdWithTheNameOfTheCluster() {
		run();
		for (String id : List.of("edge.podHandler", "edge.configReconciler", "edge.pods")) {
			assertThat(this.application.<String>read("/" + id, "$.id")).isEqualTo(id);
			assertThat(this.application.<String>read("/" + id, "$.cluster")).isEqualTo("edge");
		}
		assertThat(this.application.<String>read("/podHandler", "$.cluster")).isEqualTo("default");
		assertThat(this.application.get("/nodeHandler").statusCode()).isEqualTo(404);
	}

	@Test
	void actionsShouldBeForTheOneOfThatCluster() {
		run();
		await().until(() -> this.application.<Boolean>read("/edge.podHandler", "$.synced"));
		assertThat(JsonPath.<String>read(this.application.act("edge.podHandler", "PAUSE").body(), "$.state"))
			.isEqualTo("PAUSED");
		assertThat(this.application.<String>read("/podHandler", "$.state")).isEqualTo("RUNNING");
		assertThat(JsonPath.<String>read(this.application.act("edge.configReconciler", "STOP").body(), "$.state"))
			.isEqualTo("STOPPED");
	}

	@Test
	void rolesShouldBeThoseOfOneClusterAndSaySo() {
		run();
		String ofDefault = this.application.get("/rbac").body();
		assertThat(ofDefault).startsWith("# For the cluster 'default' alone")
			.contains("# The cluster 'edge' has roles of its own: ask with ?cluster=edge", "- pods")
			.doesNotContain("- nodes", "- configmaps");
		HttpResponse<String> ofEdge = this.application.get("/rbac?cluster=edge");
		assertThat(ofEdge.headers().firstValue("Content-Type")).hasValue("application/yaml");
		assertThat(ofEdge.body()).startsWith("# For the cluster 'edge' alone")
			.contains("- nodes", "- pods", "- configmaps");
		assertThat(this.application.get("/rbac?cluster=default").body()).isEqualTo(ofDefault);
	}

	@Test
	void rolesOfTheLeaseShouldBeThoseOfItsCluster() {
		run("kubernetes.leader.enabled=true", "kubernetes.leader.cluster=edge", "spring.application.name=shop",
				"kubernetes.leader.lease.namespace=default");
		assertThat(this.application.get("/rbac").body()).doesNotContain("leases");
		assertThat(this.application.get("/rbac?cluster=edge").body()).contains("namespace: default", "- leases",
				"resourceNames:\n  - shop");
		assertThat(this.application.<String>read("/leader", "$.cluster")).isEqualTo("edge");
		await().until(() -> this.application.<String>read("/leader", "$.state").equals("LEADING"));
	}

	@Test
	void unknownClusterShouldNotBeFound() {
		run();
		HttpResponse<String> answer = this.application.get("/rbac?cluster=moon");
		assertThat(answer.statusCode()).isEqualTo(404);
		assertThat(answer.body()).contains("'moon'", "[default, edge]");
	}

	@Test
	void clusterBesideAnIdShouldBeRefused() {
		run();
		HttpResponse<String> answer = this.application.get("/podHandler?cluster=edge");
		assertThat(answer.statusCode()).isEqualTo(400);
		assertThat(answer.body()).contains("'edge.podHandler'");
	}

	@Test
	void rolesWhereThereIsOneClusterShouldHaveNoComment() {
		this.application = EndpointApplication.run(WebApplicationType.SERVLET, List.of(SecretHandler.class),
				"kubernetes.client.url=" + this.kubernetes.url());
		assertThat(this.application.get("/rbac").body()).startsWith("---\n");
		assertThat(this.application.get("").body()).doesNotContain("\"cluster\"");
	}

	@Test
	void clusterThatComesAndGoesShouldBeSeen() {
		this.application = EndpointApplication.run(WebApplicationType.SERVLET, List.of(PodHandler.class),
				"kubernetes.client.url=" + this.kubernetes.url());
		InformerClusters clusters = this.application.bean(InformerClusters.class);
		clusters.add("late", new ClientBuilder().setBasePath(this.edge.url()).build());
		assertThat(this.application.<String>read("/late.podHandler", "$.cluster")).isEqualTo("late");
		clusters.remove("late");
		assertThat(this.application.get("/late.podHandler").statusCode()).isEqualTo(404);
		assertThat(this.application.get("/rbac?cluster=late").statusCode()).isEqualTo(404);
	}

	private void run(String... properties) {
		String[] all = new String[properties.length + 3];
		System.arraycopy(properties, 0, all, 3, properties.length);
		all[0] = "kubernetes.client.url=" + this.kubernetes.url();
		all[1] = "kubernetes.clusters.edge.url=" + this.edge.url();
		all[2] = EndpointApplication.UNRESTRICTED;
		this.application = EndpointApplication.run(WebApplicationType.SERVLET,
				List.of(PodHandler.class, NodeHandler.class, ConfigReconciler.class), all);
	}

	@InformerHandler(id = "podHandler", cluster = { "default", "*" })
	static class PodHandler {

		@OnAdd
		void added(V1Pod pod) {
		}

	}

	@InformerHandler(id = "nodeHandler", cluster = "edge")
	static class NodeHandler {

		@OnAdd
		void added(V1Node node) {
		}

	}

	@InformerHandler(id = "secretHandler")
	static class SecretHandler {

		@OnAdd
		void added(V1Secret secret) {
		}

	}

	@Reconciler(id = "configReconciler", cluster = "edge")
	static class ConfigReconciler {

		@Reconcile
		void reconcile(V1ConfigMap config) {
		}

	}

}
