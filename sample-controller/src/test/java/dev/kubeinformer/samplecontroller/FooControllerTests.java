package dev.kubeinformer.samplecontroller;

import java.time.Duration;

import io.kubernetes.client.openapi.models.V1Deployment;
import io.kubernetes.client.openapi.models.V1DeploymentStatus;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;

import dev.kubeinformer.controller.FailingKey;
import dev.kubeinformer.controller.ReconcilerRegistry;
import dev.kubeinformer.spring.test.EmbeddedKubernetesTest;
import dev.kubeinformer.test.ApiResources;
import dev.kubeinformer.test.EmbeddedKubernetes;
import dev.kubeinformer.types.ObjectKey;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests of the controller as it runs, on an API server in memory.
 */
@SpringBootTest
@EmbeddedKubernetesTest(garbageCollection = true)
class FooControllerTests {

	private static final Duration SOON = Duration.ofSeconds(30);

	private ApiResources<Foo> foos;

	private ApiResources<V1Deployment> deployments;

	@Autowired
	private ReconcilerRegistry reconcilers;

	@BeforeEach
	void api(EmbeddedKubernetes kubernetes) {
		this.foos = kubernetes.resources(Foo.class);
		this.deployments = kubernetes.resources(V1Deployment.class);
	}

	@Test
	void deploymentShouldFollowItsFoo() throws InterruptedException {
		this.foos.create(Foos.foo("default", "web", 1));
		assertThat(this.reconcilers.awaitIdle(SOON)).isTrue();
		assertThat(this.deployments.get("default", "web").getSpec().getReplicas()).isEqualTo(1);

		Foo foo = this.foos.get("default", "web");
		foo.getSpec().setReplicas(3);
		this.foos.update(foo);
		assertThat(this.reconcilers.awaitIdle(SOON)).isTrue();
		assertThat(this.deployments.get("default", "web").getSpec().getReplicas()).isEqualTo(3);
	}

	@Test
	void deletedDeploymentShouldComeBack() throws InterruptedException {
		this.foos.create(Foos.foo("default", "web", 1));
		assertThat(this.reconcilers.awaitIdle(SOON)).isTrue();
		this.deployments.delete("default", "web");
		assertThat(this.reconcilers.awaitIdle(SOON)).isTrue();
		assertThat(this.deployments.get("default", "web")).isNotNull();
	}

	@Test
	void statusShouldShowTheAvailableReplicas() throws InterruptedException {
		this.foos.create(Foos.foo("default", "web", 2));
		assertThat(this.reconcilers.awaitIdle(SOON)).isTrue();
		V1Deployment deployment = this.deployments.get("default", "web");
		deployment.setStatus(new V1DeploymentStatus().availableReplicas(2));
		this.deployments.update(deployment);
		assertThat(this.reconcilers.awaitIdle(SOON)).isTrue();
		assertThat(this.foos.get("default", "web").getStatus().getAvailableReplicas()).isEqualTo(2);
	}

	@Test
	void renamedDeploymentShouldReplaceTheOneBefore() throws InterruptedException {
		this.foos.create(Foos.foo("default", "web", 1));
		assertThat(this.reconcilers.awaitIdle(SOON)).isTrue();
		Foo foo = this.foos.get("default", "web");
		foo.getSpec().setDeploymentName("site");
		this.foos.update(foo);
		assertThat(this.reconcilers.awaitIdle(SOON)).isTrue();
		assertThat(this.deployments.list("default")).extracting((each) -> each.getMetadata().getName())
			.containsExactly("site");
	}

	@Test
	void deploymentShouldGoWithItsFoo() throws InterruptedException {
		this.foos.create(Foos.foo("default", "web", 1));
		assertThat(this.reconcilers.awaitIdle(SOON)).isTrue();
		this.foos.delete("default", "web");
		// A run that has not seen the end of the Foo may apply the Deployment once more.
		await().untilAsserted(() -> {
			assertThat(this.reconcilers.awaitIdle(SOON)).isTrue();
			assertThat(this.deployments.list("default")).isEmpty();
		});
	}

	@Test
	void deploymentOfAnotherOwnerShouldBeLeftAlone() throws InterruptedException {
		this.foos.create(Foos.foo("default", "web", 1));
		assertThat(this.reconcilers.awaitIdle(SOON)).isTrue();
		Foo second = Foos.foo("default", "second", 5);
		second.getSpec().setDeploymentName("web");
		this.foos.create(second);
		await().untilAsserted(
				() -> assertThat(this.reconcilers.get("fooReconciler").status().failing()).extracting(FailingKey::key)
					.containsExactly(new ObjectKey("default", "second")));
		assertThat(this.deployments.get("default", "web").getSpec().getReplicas()).isEqualTo(1);
	}

}
