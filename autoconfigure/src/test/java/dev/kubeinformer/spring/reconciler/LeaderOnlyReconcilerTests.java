package dev.kubeinformer.spring.reconciler;

import io.kubernetes.client.openapi.models.V1Pod;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;

import dev.kubeinformer.controller.ReconcilerContainer;
import dev.kubeinformer.controller.ReconcilerRegistry;
import dev.kubeinformer.leader.Leadership;
import dev.kubeinformer.spring.InformerContextRunner;
import dev.kubeinformer.spring.annotation.Reconcile;
import dev.kubeinformer.spring.annotation.Reconciler;
import dev.kubeinformer.spring.leader.FakeLeadership;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of which reconcilers run at the leader alone. Nothing connects here.
 */
class LeaderOnlyReconcilerTests {

	private final FakeLeadership leadership = new FakeLeadership();

	private final ApplicationContextRunner alone = InformerContextRunner.withoutCluster()
		.withPropertyValues("kubernetes.informers.auto-startup=false")
		.withBean("podReconciler", PodReconciler.class)
		.withBean("every", EveryReplicaReconciler.class);

	private final ApplicationContextRunner runner = this.alone.withBean(Leadership.class, () -> this.leadership);

	@Test
	void reconcilersShouldRunAtTheLeaderWhereOneIsElected() {
		this.runner.withPropertyValues("kubernetes.leader.enabled=true").run((context) -> {
			assertThat(leadership(context, "podReconciler")).isSameAs(this.leadership);
			assertThat(details(context, "podReconciler").leaderOnly()).isTrue();
			assertThat(leadership(context, "every")).isNull();
			assertThat(details(context, "every").leaderOnly()).isFalse();
		});
	}

	@Test
	void reconcilersShouldRunAtEachReplicaWhereNoLeaderIsElected() {
		this.alone.run((context) -> {
			assertThat(leadership(context, "podReconciler")).isNull();
			assertThat(details(context, "podReconciler").leaderOnly()).isFalse();
		});
	}

	@Test
	void defaultsShouldHoldForReconcilersThatSayNothing() {
		this.runner
			.withPropertyValues("kubernetes.leader.enabled=true", "kubernetes.reconcilers.defaults.leader-only=false")
			.run((context) -> assertThat(leadership(context, "podReconciler")).isNull());
	}

	@Test
	void propertyOfAReconcilerShouldReplaceItsAnnotation() {
		this.runner
			.withPropertyValues("kubernetes.leader.enabled=true", "kubernetes.reconcilers.every.leader-only=true",
					"kubernetes.reconcilers.defaults.leader-only=false")
			.run((context) -> assertThat(leadership(context, "every")).isSameAs(this.leadership));
	}

	private static Leadership leadership(ApplicationContext context, String id) {
		return container(context, id).spec().leadership();
	}

	private static ReconcilerDetails details(ApplicationContext context, String id) {
		return context.getBean(Reconcilers.class).details(container(context, id));
	}

	private static ReconcilerContainer container(ApplicationContext context, String id) {
		return context.getBean(ReconcilerRegistry.class).get(id);
	}

	@Reconciler
	static class PodReconciler {

		@Reconcile
		void reconcile(V1Pod pod) {
		}

	}

	@Reconciler(leaderOnly = "false")
	static class EveryReplicaReconciler {

		@Reconcile
		void reconcile(V1Pod pod) {
		}

	}

}
