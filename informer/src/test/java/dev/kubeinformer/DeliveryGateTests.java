package dev.kubeinformer;

import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Pod;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import dev.kubeinformer.handler.HandlerOptions;
import dev.kubeinformer.handler.HandlerRegistration;
import dev.kubeinformer.informer.Informer;
import dev.kubeinformer.spi.DeliveryGate;
import dev.kubeinformer.test.ApiResources;
import dev.kubeinformer.test.EmbeddedKubernetes;

import static dev.kubeinformer.EngineTestSupport.await;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of handlers behind a gate: what waits is bounded, and the gate is independent of
 * a pause.
 */
class DeliveryGateTests {

	private final EmbeddedKubernetes kubernetes = EmbeddedKubernetes.start();

	private final Informers informers = EngineTestSupport.informers(this.kubernetes.url());

	private final ApiResources<V1Pod> pods = this.kubernetes.resources(V1Pod.class);

	private final Recorder<V1Pod> recorder = new Recorder<>();

	private final DeliveryGate gate = new DeliveryGate();

	private Informer<V1Pod> informer;

	@BeforeEach
	void start() {
		this.pods.fill(3, (i) -> pod("p" + i));
		this.informers.start();
		this.informer = this.informers.informer(V1Pod.class);
		await().until(this.informer::hasSynced);
	}

	@AfterEach
	void close() {
		this.informers.close();
		this.kubernetes.close();
	}

	@Test
	void eventsWaitUntilTheGateOpensAndAreMergedBeyondTheCapacity() {
		HandlerRegistration handler = add(3);
		for (int i = 0; i < 50; i++) {
			this.pods.create(pod("gone"));
			this.pods.delete("default", "gone");
		}
		this.pods.create(pod("last"));
		await().until(() -> this.informer.snapshot().get("default", "last") != null);
		assertThat(handler.status().queue().size()).isLessThanOrEqualTo(5);
		assertThat(handler.hasSynced()).isFalse();
		assertThat(this.recorder.delivered()).isEmpty();
		this.gate.open();
		await().until(() -> this.recorder.delivered().contains("+last"));
		assertThat(handler.hasSynced()).isTrue();
		assertThat(this.recorder.delivered()).contains("+p0", "+p1", "+p2");
	}

	@Test
	void gateIsIndependentOfAPauseAndCanBeShutAgain() {
		HandlerRegistration handler = add(100);
		handler.pause();
		this.gate.open();
		assertThat(this.recorder.delivered()).isEmpty();
		this.gate.shut();
		handler.resume();
		assertThat(handler.status()).satisfies((status) -> {
			assertThat(status.paused()).isFalse();
			assertThat(status.queue().size()).isEqualTo(3);
		});
		this.gate.open();
		await().until(handler::hasSynced);
		this.gate.shut();
		this.pods.create(pod("later"));
		await().until(() -> handler.status().queue().size() == 1);
		assertThat(this.recorder.delivered()).containsExactlyInAnyOrder("+p0", "+p1", "+p2");
		handler.close();
		assertThat(handler.status().queue().dropped()).isEqualTo(1);
	}

	@Test
	void whatWaitsAtAShutGateStaysForTheNextStart() {
		HandlerRegistration handler = add(100);
		this.informers.stop();
		assertThat(this.recorder.delivered()).isEmpty();
		this.informers.start();
		this.gate.open();
		await().until(handler::hasSynced);
		assertThat(this.recorder.delivered()).containsExactlyInAnyOrder("+p0", "+p1", "+p2");
	}

	private HandlerRegistration add(int capacity) {
		return this.informer.addHandler(this.recorder,
				HandlerOptions.defaults().withGate(this.gate).withQueueCapacity(capacity));
	}

	private static V1Pod pod(String name) {
		return new V1Pod().metadata(new V1ObjectMeta().namespace("default").name(name));
	}

}
