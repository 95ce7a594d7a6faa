package dev.kubeinformer;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;

import io.kubernetes.client.openapi.models.V1Pod;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import dev.kubeinformer.informer.Informer;
import dev.kubeinformer.test.EmbeddedKubernetes;
import dev.kubeinformer.test.Requests;
import dev.kubeinformer.types.WatchEndReason;

import static dev.kubeinformer.EngineTestSupport.informers;
import static dev.kubeinformer.EngineTestSupport.pod;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** Figures of an informer while the API server is unavailable or ends each watch. */
class OutageFiguresTests {

	private final EmbeddedKubernetes api = EmbeddedKubernetes.start();

	private final Informers informers = informers(this.api.url(), (builder) -> builder);

	@AfterEach
	void stop() {
		this.informers.close();
		this.api.close();
	}

	@Test
	void attemptsToGoOnAreCountedAsLongAsTheServerIsGone() throws InterruptedException {
		Informer<V1Pod> pods = startPods();
		this.api.stopServing();
		await().until(() -> restarts(pods, WatchEndReason.UNREACHABLE) >= 4);
		assertThat(pods.status().cache().staleSince()).isNotNull();
		assertThat(pods.status().lists().total()).isOne();
	}

	@Test
	void watchesThatEndAtOnceAreNoSignOfLife() throws InterruptedException {
		Informer<V1Pod> pods = startPods();
		this.api.resources(V1Pod.class).create(pod("web", "one"));
		await().until(() -> pods.status().watch().lastEventAt() != null);
		Instant last = pods.status().watch().lastEventAt();
		this.api.faults().on(Requests.watch("pods")).cut();
		this.api.dropConnections();
		await().until(() -> pods.status().watch().restarts().values().stream().mapToLong(Long::longValue).sum() >= 4);
		assertThat(pods.status().watch().lastEventAt()).isEqualTo(last);
		assertThat(pods.status().cache().staleSince()).isNotNull();
	}

	private static long restarts(Informer<?> informer, WatchEndReason reason) {
		Map<WatchEndReason, Long> restarts = informer.status().watch().restarts();
		return restarts.getOrDefault(reason, 0L);
	}

	private Informer<V1Pod> startPods() throws InterruptedException {
		Informer<V1Pod> pods = this.informers.informer(V1Pod.class);
		this.informers.start();
		assertThat(pods.awaitSync(Duration.ofSeconds(10))).isTrue();
		return pods;
	}

}
