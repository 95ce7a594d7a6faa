package dev.kubeinformer.spring.autoconfigure.endpoint;

import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;

import com.jayway.jsonpath.JsonPath;
import io.kubernetes.client.openapi.models.V1Pod;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.WebApplicationType;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import dev.kubeinformer.leader.LeaderStatus;
import dev.kubeinformer.leader.RevocationReason;
import dev.kubeinformer.spring.FakeElection;
import dev.kubeinformer.spring.annotation.InformerHandler;
import dev.kubeinformer.spring.annotation.OnAdd;
import dev.kubeinformer.spring.cluster.ClusterRuntimes;
import dev.kubeinformer.spring.handler.InformerHandlers;
import dev.kubeinformer.spring.reconciler.MissingRights;
import dev.kubeinformer.spring.reconciler.Reconcilers;
import dev.kubeinformer.test.EmbeddedKubernetes;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of what the endpoint shows of the election of a leader, and does with it.
 */
@Tag("slow")
class LeaderEndpointHttpTests {

	private final EmbeddedKubernetes kubernetes = EmbeddedKubernetes.start();

	private EndpointApplication application;

	@AfterEach
	void close() {
		if (this.application != null) {
			this.application.close();
		}
		this.kubernetes.close();
	}

	@Test
	void leaderShouldBeDescribed() {
		FakeElection election = run();
		election.grant().slack(Duration.ofSeconds(8));
		Map<String, Object> body = JsonPath.read(this.application.get("/leader").body(), "$");
		assertThat(body).containsEntry("state", "LEADING")
			.containsEntry("since", "2030-01-01T10:00:00Z")
			.containsEntry("leading", true)
			.containsEntry("lease", "shop/orders")
			.containsEntry("identity", "pod-1_uid")
			.containsEntry("holder", "pod-1_uid")
			.containsEntry("slack", "8s")
			.containsEntry("terms", 1)
			.containsEntry("renewals", 7)
			.containsEntry("term",
					Map.of("number", 41, "since", "2030-01-01T10:00:00Z", "validUntil", "2030-01-01T10:00:10Z"))
			.doesNotContainKeys("cluster", "lastError");
		assertThat(this.application.<Map<String, Object>>read("", "$.leader")).isEqualTo(body);
	}

	@Test
	void refusalOfTheLeaseShouldBeShownWithTheMissingRule() {
		FakeElection election = run();
		election.failure(new LeaderStatus.Failure(Instant.parse("2030-01-01T10:00:05Z"), "update", 403, "Forbidden"),
				"update");
		String body = this.application.get("/leader").body();
		assertThat(JsonPath.<Map<String, Object>>read(body, "$.lastError")).containsEntry("verb", "update")
			.containsEntry("httpStatus", 403)
			.containsEntry("reason", "Forbidden");
		assertThat(JsonPath.<List<String>>read(body, "$.requiredRbac")).singleElement()
			.asString()
			.contains("resourceNames: [\"orders\"]", "verbs: [\"update\"]", "namespace 'shop'");
	}

	@Test
	void yieldShouldLetAnotherReplicaLead() {
		FakeElection election = run();
		election.grant();
		HttpResponse<String> answer = this.application.act("leader", "yield");
		assertThat(answer.statusCode()).isEqualTo(200);
		assertThat(JsonPath.<String>read(answer.body(), "$.state")).isEqualTo("DRAINING");
		assertThat(election.yields()).isEqualTo(1);
	}

	@Test
	void yieldWhenNotLeadingShouldBeAConflictThatNamesTheHolder() {
		FakeElection election = run();
		election.grant().revoke(RevocationReason.TAKEN).holder("pod-2_uid");
		HttpResponse<String> answer = this.application.act("leader", "YIELD");
		assertThat(answer.statusCode()).isEqualTo(409);
		assertThat(answer.body()).contains("does not lead", "'pod-2_uid'");
		assertThat(election.yields()).isZero();
	}

	@Test
	void otherActionsOnTheLeaderShouldBeRefused() {
		run().grant();
		HttpResponse<String> answer = this.application.act("leader", "PAUSE");
		assertThat(answer.statusCode()).isEqualTo(400);
		assertThat(answer.body()).contains("'PAUSE'", "YIELD");
		assertThat(this.application.post("/leader", "{}").statusCode()).isEqualTo(400);
		assertThat(this.application.post("/leader", "{\"action\":\"YIELD\",\"key\":\"web/one\"}").body())
			.contains("takes no 'key'", "'web/one'");
	}

	@Test
	void yieldOnAHandlerShouldBeRefusedWithAHint() {
		run().grant();
		HttpResponse<String> answer = this.application.act("podHandler", "YIELD");
		assertThat(answer.statusCode()).isEqualTo(400);
		assertThat(answer.body()).contains("'leader'", "PAUSE");
	}

	@Test
	void rolesShouldHaveTheRulesForTheLease() {
		run();
		assertThat(this.application.get("/rbac").body()).contains("""
				kind: Role
				metadata:
				  name: shop-front-informers
				  namespace: shop
				rules:
				- apiGroups:
				  - coordination.k8s.io
				  resources:
				  - leases
				  verbs:
				  - create
				- apiGroups:
				  - coordination.k8s.io
				  resources:
				  - leases
				  resourceNames:
				  - orders
				  verbs:
				  - get
				  - watch
				  - update
				""");
	}

	@Test
	void leaderWithoutAnElectionShouldNotBeFound() {
		this.application = EndpointApplication.run(WebApplicationType.SERVLET, List.of(PodHandler.class),
				"kubernetes.client.url=" + this.kubernetes.url(), EndpointApplication.UNRESTRICTED);
		assertThat(this.application.get("/leader").statusCode()).isEqualTo(404);
		assertThat(this.application.get("/leader").body()).contains("kubernetes.leader.enabled");
		assertThat(this.application.act("leader", "YIELD").statusCode()).isEqualTo(404);
		assertThat(this.application.get("").body()).doesNotContain("\"leader\"");
		assertThat(this.application.get("/rbac").body()).doesNotContain("leases");
	}

	private FakeElection run() {
		this.application = EndpointApplication.run(WebApplicationType.SERVLET, List.of(PodHandler.class, Elected.class),
				"kubernetes.client.url=" + this.kubernetes.url(), EndpointApplication.UNRESTRICTED);
		return this.application.bean(FakeElection.class);
	}

	@InformerHandler(id = "podHandler")
	static class PodHandler {

		@OnAdd
		void added(V1Pod pod) {
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Elected {

		@Bean
		FakeElection election() {
			return new FakeElection();
		}

		@Bean
		InformersEndpoint informersEndpoint(ClusterRuntimes clusters, InformerHandlers handlers,
				Reconcilers reconcilers, MissingRights missingRights, FakeElection election) {
			return new InformersEndpoint(clusters, handlers, reconcilers, missingRights, election.elected(), "default",
					"shop-front-informers");
		}

	}

}
