package dev.kubeinformer.spring.autoconfigure.endpoint;

import java.time.Instant;
import java.util.List;
import java.util.Map;

import io.kubernetes.client.openapi.models.V1Pod;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.WebApplicationType;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import dev.kubeinformer.spring.FakeGroup;
import dev.kubeinformer.spring.annotation.InformerHandler;
import dev.kubeinformer.spring.annotation.OnAdd;
import dev.kubeinformer.spring.cluster.ClusterRuntimes;
import dev.kubeinformer.spring.handler.InformerHandlers;
import dev.kubeinformer.spring.rbac.DefinitionRights;
import dev.kubeinformer.spring.rbac.LeaseRights;
import dev.kubeinformer.spring.rbac.UsedResources;
import dev.kubeinformer.spring.reconciler.MissingRights;
import dev.kubeinformer.spring.reconciler.Reconcilers;
import dev.kubeinformer.test.EmbeddedKubernetes;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of what the endpoint shows of slots that move, over HTTP.
 */
class ShardsEndpointHttpTests {

	private final EmbeddedKubernetes kubernetes = EmbeddedKubernetes.start();

	private EndpointApplication application;

	@AfterEach
	void close() {
		this.application.close();
		this.kubernetes.close();
	}

	@Test
	void shardsShouldNameTheHoldersOfAllSlots() {
		FakeGroup group = run();
		group.draining(2)
			.vacant(Map.of(5, Instant.parse("2030-01-01T10:00:05Z"), 6, Instant.parse("2030-01-01T10:00:05Z")));
		String body = this.application.get("/shards").body();
		assertThat(body).contains("\"state\":\"ACTIVE\"", "\"group\":\"shop/orders\"", "\"identity\":\"pod-1\"",
				"\"key\":\"UID\"", "\"total\":8", "\"settled\":true", "\"slots\":\"0-2\"", "\"draining\":\"2\"",
				"{\"name\":\"pod-0\",\"slots\":\"3-4,7\",\"count\":3,\"self\":false,\"leaving\":false}",
				"{\"name\":\"pod-2\",\"slots\":\"\",\"count\":0,\"self\":false,\"leaving\":true}",
				"\"unheld\":[{\"slots\":\"5-6\",\"since\":\"2030-01-01T10:00:05Z\"}]", "\"slack\":\"8s\"",
				"\"gained\":3");
		assertThat(this.application.get("").body()).contains("\"shards\":{\"state\":\"ACTIVE\"");
	}

	@Test
	void rulesShouldAllowAllMembersTheirLeases() {
		run();
		assertThat(this.application.get("/rbac").body()).contains("namespace: shop").contains("""
				rules:
				- apiGroups:
				  - coordination.k8s.io
				  resources:
				  - leases
				  verbs:
				  - get
				  - list
				  - watch
				  - create
				  - update
				  - delete
				""");
	}

	@Test
	void slotsThatDoNotMoveShouldNotBeFound() {
		this.application = EndpointApplication.run(WebApplicationType.SERVLET, List.of(PodHandler.class),
				"kubernetes.client.url=" + this.kubernetes.url(), EndpointApplication.UNRESTRICTED);
		assertThat(this.application.get("/shards").statusCode()).isEqualTo(404);
		assertThat(this.application.get("").body()).doesNotContain("\"shards\"");
	}

	private FakeGroup run() {
		this.application = EndpointApplication.run(WebApplicationType.SERVLET, List.of(PodHandler.class, Group.class),
				"kubernetes.client.url=" + this.kubernetes.url(), EndpointApplication.UNRESTRICTED);
		return this.application.bean(FakeGroup.class);
	}

	@InformerHandler(id = "podHandler")
	static class PodHandler {

		@OnAdd
		void added(V1Pod pod) {
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Group {

		@Bean
		FakeGroup group() {
			return new FakeGroup();
		}

		@Bean
		InformersEndpoint informersEndpoint(ClusterRuntimes clusters, InformerHandlers handlers,
				Reconcilers reconcilers, MissingRights missingRights, FakeGroup group) {
			return new InformersEndpoint(clusters, handlers, reconcilers, missingRights,
					new LeaseRights(null, "default", group.group(), "default"), "shop-front-informers",
					new DefinitionRights(new UsedResources(clusters, handlers, reconcilers), false, List.of()));
		}

	}

}
