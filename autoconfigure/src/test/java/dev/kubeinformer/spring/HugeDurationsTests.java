package dev.kubeinformer.spring;

import java.time.Duration;

import io.kubernetes.client.openapi.models.V1Pod;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.beans.factory.annotation.Autowired;

import dev.kubeinformer.controller.ReconcilerRegistry;
import dev.kubeinformer.controller.ReconcilerSpec;
import dev.kubeinformer.controller.Result;
import dev.kubeinformer.informer.Informer;
import dev.kubeinformer.spring.annotation.InformerHandler;
import dev.kubeinformer.spring.annotation.OnAdd;
import dev.kubeinformer.spring.handler.InformerHandlerRegistry;
import dev.kubeinformer.test.EmbeddedKubernetes;

import static org.assertj.core.api.Assertions.assertThat;

/** Durations that exceed a clock's range mean forever. */
@Timeout(120)
class HugeDurationsTests {

	private static final Duration HUGE = Duration.ofSeconds(Long.MAX_VALUE, 999_999_999);

	private final EmbeddedKubernetes kubernetes = EmbeddedKubernetes.builder().namespacesMustExist(false).start();

	@AfterEach
	void close() {
		this.kubernetes.close();
	}

	@Test
	void waitsHaveNoEndThen() {
		this.kubernetes.resources(V1Pod.class).create(TestObjects.pod("web", "one"));
		InformerContextRunner.with(this.kubernetes)
			.withBean("podHandler", PodHandler.class)
			.withBean("one", ReconcilerSpec.class, () -> spec("one"))
			.withBean("two", ReconcilerSpec.class, () -> spec("two"))
			.run((context) -> {
				assertThat(context).hasNotFailed();
				assertThat(context.getBean(InformerHandlerRegistry.class).get("podHandler").awaitSync(HUGE)).isTrue();
				assertThat(context.getBean(PodHandler.class).pods.awaitSync(HUGE)).isTrue();
				assertThat(context.getBean(ReconcilerRegistry.class).awaitIdle(HUGE)).isTrue();
			});
	}

	private static ReconcilerSpec<?> spec(String id) {
		return ReconcilerSpec.of(id, V1Pod.class, (pod, run) -> Result.requeueAfter(HUGE))
			.withTimeout(HUGE)
			.withResync(HUGE)
			.withOwnWritesTimeout(HUGE);
	}

	@Test
	void longestPropertiesAreCountedAndLongerOnesAreRefused() {
		InformerContextRunner.with(this.kubernetes)
			.withBean(PodHandler.class)
			.withPropertyValues("kubernetes.informers.watch.idle-timeout=3650d",
					"kubernetes.informers.watch.verify-every=3650d", "kubernetes.informers.watch.sync-deadline=3650d",
					"kubernetes.informers.startup.timeout=3650d", "kubernetes.informers.startup.late-timeout=3650d",
					"kubernetes.informers.startup.wait-for-sync=true")
			.run((context) -> assertThat(context).hasNotFailed());
		InformerContextRunner.with(this.kubernetes)
			.withBean(PodHandler.class)
			.withPropertyValues("kubernetes.informers.startup.timeout=PT2562047788015215H")
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessageContaining("must be zero or between 1ms and 3650d"));
	}

	@InformerHandler
	static class PodHandler {

		@Autowired
		Informer<V1Pod> pods;

		@OnAdd
		void add(V1Pod pod) {
		}

	}

}
