package dev.kubeinformer;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import io.kubernetes.client.openapi.models.V1Pod;
import okhttp3.Protocol;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.kubeinformer.handler.HandlerOptions;
import dev.kubeinformer.informer.Informer;
import dev.kubeinformer.test.EmbeddedKubernetes;
import dev.kubeinformer.test.FaultProxy;
import dev.kubeinformer.test.RecordedRequest;
import dev.kubeinformer.types.InformerState;
import dev.kubeinformer.types.ListMode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * A watch that is cut every second while much happens, with the durations of life. It
 * runs for longer with {@code -Dcuts.duration=PT1M}.
 */
@Tag("slow")
class CutWatchTests {

	private static final Logger figures = LoggerFactory.getLogger("figures");

	private static final Duration DURATION = Duration.parse(System.getProperty("cuts.duration", "PT8S"));

	// 200 events a second, in bursts, so that every cut comes in the middle of one
	private static final Duration BURSTS = Duration.ofMillis(50);

	private static final int BURST = 10;

	private static final Duration CUTS = Duration.ofSeconds(1);

	private static final int PODS = 200;

	@ParameterizedTest
	@CsvSource({ "HTTP_1_1, STREAMING", "HTTP_1_1, PAGED", "H2_PRIOR_KNOWLEDGE, STREAMING",
			"H2_PRIOR_KNOWLEDGE, PAGED" })
	void watchThatIsCutEverySecondListsNothingAgainAndTellsEveryEventOnce(Protocol protocol, ListMode mode) {
		try (EmbeddedKubernetes api = EmbeddedKubernetes.start();
				FaultProxy network = FaultProxy.to("127.0.0.1", api.port());
				Informers informers = informers(network, protocol, mode);
				Pace pace = new Pace(2)) {
			ChangingPods pods = new ChangingPods(api.resources(V1Pod.class), PODS);
			Informer<V1Pod> informer = informers.informer(V1Pod.class);
			PodWitness witness = new PodWitness();
			informer.addHandler(witness, HandlerOptions.defaults().withQueueCapacity(Integer.MAX_VALUE));
			informers.start();
			await().until(() -> informer.state() == InformerState.LIVE && witness.delivered().size() == PODS);
			assertThat(api.requests()).filteredOn(EngineTestSupport::isFullList).hasSize(1);
			api.clearRequests();
			AtomicInteger cuts = new AtomicInteger();
			CompletableFuture<Void> cutting = pace.every(CUTS, DURATION, () -> {
				cuts.addAndGet(Math.min(1, network.connections()));
				network.dropConnections();
			});
			CompletableFuture<Void> writing = pace.every(BURSTS, DURATION, () -> {
				for (int i = 0; i < BURST; i++) {
					pods.change();
				}
			});
			CompletableFuture.allOf(cutting, writing).orTimeout(DURATION.toSeconds() + 60, TimeUnit.SECONDS).join();
			pods.changeAll();
			List<PodChange> history = pods.history();
			await().atMost(Duration.ofSeconds(60))
				.until(() -> informer.status().cache().resourceVersion().equals(api.resourceVersion()));
			informers.stop();
			List<RecordedRequest> requests = api.requests();
			long lists = requests.stream().filter(EngineTestSupport::isFullList).count();
			long watches = requests.stream().filter(RecordedRequest::isWatch).count();
			figures.info(
					"Watch cut every second for {} ({}, {}): {} cuts, {} watches opened, {} probes, {} events written, "
							+ "{} delivered, {} lists, {} lost, {} duplicated",
					DURATION, protocol, mode, cuts, watches,
					requests.stream().filter(EngineTestSupport::isProbe).count(), history.size(),
					witness.delivered().size(), lists, witness.lost(history), witness.duplicated());
			assertThat(cuts).hasValueGreaterThan((int) DURATION.dividedBy(CUTS) / 2);
			assertThat(watches).isGreaterThan(cuts.get() / 2);
			assertThat(lists).isZero();
			assertThat(witness.lost(history)).isZero();
			assertThat(witness.duplicated()).isZero();
			assertThat(PodWitness.byName(witness.delivered())).isEqualTo(PodWitness.byName(history));
			assertThat(witness.state()).isEqualTo(pods.onServer())
				.isEqualTo(ChangingPods.versions(informer.lister().list()));
		}
	}

	private static Informers informers(FaultProxy network, Protocol protocol, ListMode mode) {
		String url = "http://127.0.0.1:" + network.port();
		return Informers.builder(EngineTestSupport.client(url, protocol)).listMode(mode).build();
	}

}
