package dev.kubeinformer.spring.autoconfigure;

import java.time.Duration;
import java.util.List;

import io.kubernetes.client.openapi.models.V1Lease;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.context.annotation.Configuration;

import dev.kubeinformer.spring.autoconfigure.client.KubernetesClientAutoConfiguration;
import dev.kubeinformer.test.ApiResources;
import dev.kubeinformer.test.EmbeddedKubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests of an application that ends when its term as leader is lost.
 */
class LostLeadershipTests {

	@Test
	void applicationShouldExitWithCodeOne() throws Exception {
		try (EmbeddedKubernetes kubernetes = EmbeddedKubernetes.builder().namespacesMustExist(false).start();
				ForkedApplication application = ForkedApplication.start(List.of(), Application.class,
						"--kubernetes.client.url=" + kubernetes.url(), "--kubernetes.leader.enabled=true",
						"--kubernetes.leader.on-lost=exit", "--kubernetes.leader.lease.namespace=shop",
						"--spring.application.name=web", "--spring.main.keep-alive=true",
						"--spring.main.web-application-type=none", "--kubernetes.leader.lease-duration=5s",
						"--kubernetes.leader.renew-deadline=3s", "--kubernetes.leader.retry-period=500ms")) {
			application.awaitLine("Started");
			ApiResources<V1Lease> leases = kubernetes.resources(V1Lease.class);
			await().atMost(Duration.ofSeconds(60))
				.until(() -> leases.list().stream().anyMatch((lease) -> lease.getSpec().getHolderIdentity() != null));
			// As one does who breaks the rules.
			await().ignoreExceptions().until(() -> {
				V1Lease lease = leases.get("shop", "web");
				lease.getSpec().setHolderIdentity("other");
				leases.update(lease);
				return true;
			});
			assertThat(application.awaitExit()).as(() -> String.join("\n", application.output())).isOne();
			assertThat(application.output())
				.anyMatch((line) -> line.contains("as leader (TAKEN); the application exits"));
			assertThat(leases.get("shop", "web").getSpec().getHolderIdentity()).isEqualTo("other");
		}
	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ KubernetesClientAutoConfiguration.class, InformerAutoConfiguration.class })
	public static class Application {

		public static void main(String[] args) {
			SpringApplication.run(Application.class, args);
		}

	}

}
