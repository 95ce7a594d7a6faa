package dev.kubeinformer.spring.test;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;

import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1ServiceAccount;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

import dev.kubeinformer.controller.Owned;
import dev.kubeinformer.controller.ReconcilerRegistry;
import dev.kubeinformer.controller.ReconcilerStatus;
import dev.kubeinformer.controller.Reconciliation;
import dev.kubeinformer.spring.annotation.Reconcile;
import dev.kubeinformer.spring.annotation.Reconciler;
import dev.kubeinformer.spring.autoconfigure.InformerAutoConfiguration;
import dev.kubeinformer.spring.autoconfigure.client.KubernetesClientAutoConfiguration;
import dev.kubeinformer.test.EmbeddedKubernetes;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that reconcilers can be waited for in tests, and are idle when the next begins.
 */
@SpringBootTest(webEnvironment = SpringBootTest.WebEnvironment.NONE)
@EmbeddedKubernetesTest
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class ReconcilerTests {

	@Autowired
	private EmbeddedKubernetes kubernetes;

	@Autowired
	private ReconcilerRegistry reconcilers;

	@Autowired
	private AccountReconciler reconciler;

	@Test
	@Order(1)
	void reconcilerShouldBeIdleWhenItsChildIsThere() throws InterruptedException {
		this.kubernetes.resources(V1ServiceAccount.class)
			.create(new V1ServiceAccount().metadata(new V1ObjectMeta().namespace("default").name("one")));
		assertThat(this.reconcilers.awaitIdle(Duration.ofSeconds(30))).isTrue();
		assertThat(this.kubernetes.resources(V1ConfigMap.class).get("default", "one")).isNotNull();
		assertThat(this.reconciler.runs).contains("one");
		// Still at work when the test ends.
		Objects.requireNonNull(this.reconcilers.get("accounts")).triggerAll();
	}

	@Test
	@Order(2)
	void nothingShouldBeLeftForTheNextTest() throws InterruptedException {
		assertThat(this.kubernetes.resources(V1ConfigMap.class).list()).isEmpty();
		assertThat(this.kubernetes.resources(V1ServiceAccount.class).list()).isEmpty();
		int before = this.reconciler.runs.size();
		assertThat(this.reconcilers.awaitIdle(Duration.ofSeconds(30))).isTrue();
		assertThat(this.reconciler.runs).hasSize(before);
	}

	@Test
	@Order(3)
	void busyReconcilerShouldBeNamed() {
		assertThat(BusyReconciler.describe("one", ReconcilerStatus.notStarted())).isNull();
		ReconcilerStatus.Runs runs = new ReconcilerStatus.Runs(5, 2, Duration.ofSeconds(1), 0, 0, 0, 0, null);
		ReconcilerStatus idle = ReconcilerStatus.notStarted();
		assertThat(BusyReconciler.describe("one",
				new ReconcilerStatus(idle.state(), null, true, List.of(), idle.queue(), runs, List.of())))
			.isEqualTo("reconciler 'one' has 2 runs and 0 keys waiting");
	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ KubernetesClientAutoConfiguration.class, InformerAutoConfiguration.class })
	@Import(AccountReconciler.class)
	static class Application {

	}

	/**
	 * Reconciler that keeps a config map for each service account.
	 */
	@Reconciler(id = "accounts")
	static class AccountReconciler {

		private final List<String> runs = new CopyOnWriteArrayList<>();

		@Reconcile
		void reconcile(V1ServiceAccount account, Owned<V1ConfigMap> maps, Reconciliation<V1ServiceAccount> run)
				throws ApiException {
			run.apply(new V1ConfigMap().metadata(new V1ObjectMeta().name(run.key().name())));
			this.runs.add(run.key().name());
		}

	}

}
