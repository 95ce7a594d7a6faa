package dev.kubeinformer;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1Pod;
import org.junit.jupiter.api.Test;

import dev.kubeinformer.informer.Informer;
import dev.kubeinformer.informer.InformerSpec;
import dev.kubeinformer.test.EmbeddedKubernetes;
import dev.kubeinformer.test.FaultProxy;
import dev.kubeinformer.test.RecordedRequest;
import dev.kubeinformer.test.Requests;
import dev.kubeinformer.test.RequiresCluster;
import dev.kubeinformer.types.InformerState;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Many informers of one application.
 */
class SharedConnectionTests {

	private static final int INFORMERS = 50;

	@Test
	@RequiresCluster
	void fiftyInformersShareOneConnection(Path kubeconfig) throws IOException {
		try (FaultProxy network = ClusterSupport.network(kubeconfig);
				Informers informers = Informers.builder(ClusterSupport.proxied(kubeconfig, network)).build()) {
			List<Informer<?>> all = start(informers);
			await().atMost(Duration.ofSeconds(60))
				.until(() -> all.stream().allMatch((each) -> each.state() == InformerState.LIVE));
			assertThat(network.connections()).isEqualTo(1);
		}
	}

	@Test
	void serverThatThrottlesFiftyInformersIsAskedLessAndLessAndListsNothingTwice() {
		try (EmbeddedKubernetes api = EmbeddedKubernetes.start();
				Informers informers = EngineTestSupport.informers(api.url())) {
			List<Informer<?>> all = start(informers);
			await().until(() -> all.stream().allMatch((each) -> each.state() == InformerState.LIVE));
			api.clearRequests();
			api.faults().on(Requests.any()).retryAfter(Duration.ofSeconds(1)).status(429);
			api.dropConnections();
			long start = System.nanoTime();
			await().until(() -> api.requests().size() >= 4 * INFORMERS);
			// Each may ask once when its connection breaks, and then once a second.
			assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThan(Duration.ofMillis(1900));
			api.faults().clear();
			await().until(() -> all.stream().allMatch((each) -> each.state() == InformerState.LIVE));
			assertThat(api.requests()).noneMatch(RecordedRequest::isList)
				.noneMatch((request) -> request.query().containsKey("sendInitialEvents"));
		}
	}

	private static List<Informer<?>> start(Informers informers) {
		List<Informer<?>> all = new ArrayList<>();
		for (int i = 0; i < INFORMERS; i++) {
			InformerSpec<?> spec = (i % 2 == 0) ? InformerSpec.of(V1ConfigMap.class).withLabelSelector("n=" + i)
					: InformerSpec.of(V1Pod.class).withLabelSelector("n=" + i);
			all.add(informers.informer(spec));
		}
		informers.start();
		return all;
	}

}
