package dev.kubeinformer;

import java.time.Duration;

import io.kubernetes.client.openapi.models.V1ConfigMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import dev.kubeinformer.controller.ReconcilerContainer;
import dev.kubeinformer.controller.ReconcilerSpec;
import dev.kubeinformer.controller.Result;
import dev.kubeinformer.handler.HandlerOptions;
import dev.kubeinformer.handler.HandlerRegistration;
import dev.kubeinformer.handler.RetryBackoff;
import dev.kubeinformer.informer.Informer;
import dev.kubeinformer.informer.InformerSpec;

import static org.assertj.core.api.Assertions.assertThat;

/** Durations that exceed a clock's range mean forever. */
@Timeout(120)
class HugeDurationsTests {

	private static final Duration HUGE = Duration.ofSeconds(Long.MAX_VALUE, 999_999_999);

	private final WidgetWorld world = new WidgetWorld();

	@AfterEach
	void stop() {
		this.world.close();
	}

	@Test
	void waitsOfInformersHaveNoEndThen() throws InterruptedException {
		try (Informers informers = Informers.builder(EngineTestSupport.client(this.world.api.url()))
			.idleTimeout(HUGE)
			.verifyEvery(HUGE)
			.syncDeadline(HUGE)
			.build()) {
			Informer<V1ConfigMap> maps = informers.informer(InformerSpec.of(V1ConfigMap.class));
			HandlerRegistration handler = maps.addHandler((event) -> {
			}, HandlerOptions.defaults()
				.withResync(HUGE)
				.withDrainTimeout(HUGE)
				.withRetry(RetryBackoff.exponential(3, HUGE, 2, HUGE, HUGE)));
			informers.start();
			assertThat(maps.awaitSync(HUGE)).isTrue();
			assertThat(handler.awaitSync(HUGE)).isTrue();
		}
	}

	@Test
	void waitsAndLimitsOfReconcilersHaveNoEndThen() throws InterruptedException {
		this.world.create("a");
		ReconcilerContainer container = this.world.start((widget, run) -> {
			run.apply(WidgetWorld.child(widget));
			return Result.requeueAfter(HUGE);
		}, (spec) -> spec.withOwned(V1ConfigMap.class)
			.withTimeout(HUGE)
			.withOwnWritesTimeout(HUGE)
			.withDrainTimeout(HUGE)
			.withResync(HUGE)
			.withRetry(new ReconcilerSpec.Retry(HUGE, 2, HUGE, 1)));
		assertThat(container.awaitSync(HUGE)).isTrue();
		assertThat(container.awaitIdle(HUGE)).isTrue();
		assertThat(this.world.informers.reconcilers().awaitIdle(HUGE)).isTrue();
		assertThat(this.world.configMaps.get("web", "a")).isNotNull();
		container.stop();
	}

}
