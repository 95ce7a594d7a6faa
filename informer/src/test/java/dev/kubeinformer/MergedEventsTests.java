package dev.kubeinformer;

import java.time.Duration;
import java.util.Map;
import java.util.Objects;

import io.kubernetes.client.openapi.models.V1Pod;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import dev.kubeinformer.handler.HandlerOptions;
import dev.kubeinformer.handler.HandlerRegistration;
import dev.kubeinformer.informer.Informer;
import dev.kubeinformer.informer.InformerSpec;
import dev.kubeinformer.test.EmbeddedKubernetes;

import static dev.kubeinformer.EngineTestSupport.informers;
import static dev.kubeinformer.EngineTestSupport.pod;
import static dev.kubeinformer.EngineTestSupport.relabelled;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Objects that are deleted and created again while their events wait: an update starts
 * from the last delivered state.
 */
class MergedEventsTests {

	private static final Duration LONG = Duration.ofSeconds(60);

	private final EmbeddedKubernetes api = EmbeddedKubernetes.start();

	private final Informers informers = informers(this.api.url());

	private final Informer<V1Pod> pods = this.informers
		.informer(InformerSpec.of(V1Pod.class).withNamespaces("blog", "shop").withLabelSelector("app!=hidden"));

	private final Recorder<V1Pod> recorder = new Recorder<>();

	private final HandlerRegistration handler = this.pods.addHandler(this.recorder,
			HandlerOptions.defaults().withQueueCapacity(1));

	@BeforeEach
	void start() throws InterruptedException {
		create("a");
		this.informers.start();
		assertThat(this.handler.awaitSync(LONG)).isTrue();
		this.handler.pause();
		V1Pod last = this.api.resources(V1Pod.class).create(pod("shop", "full"));
		assertThat(this.pods.await(last, LONG)).isTrue();
	}

	@AfterEach
	void stop() {
		this.informers.close();
		this.api.close();
	}

	@Test
	void objectThatLeftTheSelectionAndReturnedIsUpdatedFromWhatWasDelivered() throws InterruptedException {
		update("a", "hidden");
		await().until(() -> this.pods.lister().get("blog/a") == null);
		assertThat(this.pods.await(update("a", "back"), LONG)).isTrue();
		this.handler.resume();
		await().untilAsserted(() -> assertThat(this.recorder.delivered()).containsExactly("+a", "+full", "~a"));
		assertThat(this.recorder.events().get(2).oldObject()).isSameAs(this.recorder.events().get(0).object());
		assertThat(labels(this.recorder.events().get(2).object())).containsEntry("app", "back");
	}

	@Test
	void objectThatLeftWithItsNamespaceAndReturnedAsItWasIsNothing() throws InterruptedException {
		this.pods.removeNamespace("blog");
		this.pods.addNamespace("blog");
		assertThat(this.pods.awaitSync("blog", LONG)).isTrue();
		this.handler.resume();
		await().until(() -> this.handler.status().queue().size() == 0);
		assertThat(this.pods.await(update("a", "next"), LONG)).isTrue();
		await().untilAsserted(() -> assertThat(this.recorder.delivered()).containsExactly("+a", "+full", "~a"));
		assertThat(this.recorder.events().get(2).oldObject()).isEqualTo(this.recorder.events().get(0).object());
	}

	private void create(String name) {
		this.api.resources(V1Pod.class).create(pod("blog", name));
	}

	private V1Pod update(String name, String label) {
		return this.api.resources(V1Pod.class).update(relabelled(pod("blog", name), label));
	}

	private static Map<String, String> labels(V1Pod pod) {
		return Objects.requireNonNull(pod.getMetadata().getLabels());
	}

}
