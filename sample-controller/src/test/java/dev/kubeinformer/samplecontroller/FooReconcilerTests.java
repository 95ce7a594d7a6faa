package dev.kubeinformer.samplecontroller;

import io.kubernetes.client.openapi.models.V1Deployment;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import org.junit.jupiter.api.Test;

import dev.kubeinformer.controller.Owned;
import dev.kubeinformer.controller.test.RecordingReconciliation;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of {@link FooReconciler} as a plain method, without an API server.
 */
class FooReconcilerTests {

	private final FooReconciler reconciler = new FooReconciler();

	@Test
	void deploymentShouldHaveTheNameAndTheReplicasOfTheFoo() throws Exception {
		Foo foo = Foos.foo("shop", "web", 3);
		RecordingReconciliation<Foo> run = RecordingReconciliation.of(foo);
		this.reconciler.reconcile(foo, Owned.of(), run);
		assertThat(run.applied(V1Deployment.class)).singleElement().satisfies((deployment) -> {
			assertThat(deployment.getMetadata().getName()).isEqualTo("web");
			assertThat(deployment.getSpec().getReplicas()).isEqualTo(3);
		});
	}

	@Test
	void deploymentOfTheNameBeforeShouldBeDeleted() throws Exception {
		Foo foo = Foos.foo("shop", "web", 3);
		V1Deployment before = new V1Deployment().metadata(new V1ObjectMeta().namespace("shop").name("old"));
		RecordingReconciliation<Foo> run = RecordingReconciliation.of(foo);
		this.reconciler.reconcile(foo, Owned.of(before), run);
		assertThat(run.deleted()).singleElement().isEqualTo(before);
	}

}
