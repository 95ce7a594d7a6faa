package dev.kubeinformer;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1Pod;
import org.junit.jupiter.api.Test;

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
	void informersThatStartTogetherConnectOnce() {
		try (EmbeddedKubernetes api = EmbeddedKubernetes.builder().tls().start();
				FaultProxy network = FaultProxy.to("127.0.0.1", URI.create(api.url()).getPort());
				Informers informers = Informers.builder(unverified("https://127.0.0.1:" + network.port())).build()) {
			// A handshake that takes so long that all of them want to connect meanwhile.
			network.freeze();
			List<Informer<?>> all = start(informers, 5);
			await().pollInterval(Duration.ofMillis(20)).until(() -> othersWaiting() == 4);
			network.thaw();
			await().until(() -> all.stream().allMatch((each) -> each.state() == InformerState.LIVE));
			assertThat(network.accepted()).isEqualTo(1);
		}
	}

	private static long othersWaiting() {
		return Thread.getAllStackTraces()
			.values()
			.stream()
			.filter((trace) -> Arrays.stream(trace)
				.anyMatch((frame) -> frame.getClassName().endsWith(".ConnectingTurns")
						&& frame.getMethodName().equals("enter")))
			.count();
	}

	private static ApiClient unverified(String url) {
		ApiClient client = new ApiClient();
		client.setVerifyingSsl(false);
		client.setBasePath(url);
		return client;
	}

	@Test
	@RequiresCluster
	void fiftyInformersShareOneConnection(Path kubeconfig) throws IOException {
		try (FaultProxy network = ClusterSupport.network(kubeconfig);
				Informers informers = Informers.builder(ClusterSupport.proxied(kubeconfig, network)).build()) {
			List<Informer<?>> all = start(informers, INFORMERS);
			await().atMost(Duration.ofSeconds(60))
				.until(() -> all.stream().allMatch((each) -> each.state() == InformerState.LIVE));
			assertThat(network.connections()).isEqualTo(1);
			assertThat(network.accepted()).isEqualTo(1);
		}
	}

	@Test
	void serverThatThrottlesFiftyInformersIsAskedLessAndLessAndListsNothingTwice() {
		try (EmbeddedKubernetes api = EmbeddedKubernetes.start();
				Informers informers = EngineTestSupport.informers(api.url())) {
			List<Informer<?>> all = start(informers, INFORMERS);
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

	private static List<Informer<?>> start(Informers informers, int count) {
		List<Informer<?>> all = new ArrayList<>();
		for (int i = 0; i < count; i++) {
			InformerSpec<?> spec = (i % 2 == 0) ? InformerSpec.of(V1ConfigMap.class).withLabelSelector("n=" + i)
					: InformerSpec.of(V1Pod.class).withLabelSelector("n=" + i);
			all.add(informers.informer(spec));
		}
		informers.start();
		return all;
	}

}
