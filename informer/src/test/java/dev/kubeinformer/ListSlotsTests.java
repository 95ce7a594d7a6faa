package dev.kubeinformer;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1Pod;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import dev.kubeinformer.informer.Informer;
import dev.kubeinformer.informer.InformerSpec;
import dev.kubeinformer.test.RecordedRequest;
import dev.kubeinformer.test.Requests;
import dev.kubeinformer.test.ScriptedApiServer;
import dev.kubeinformer.test.ScriptedReply;
import dev.kubeinformer.types.ListMode;

import static dev.kubeinformer.EngineTestSupport.await;
import static dev.kubeinformer.EngineTestSupport.informers;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * The slots for lists, between lists that trickle and lists that are fast.
 */
class ListSlotsTests {

	private static final String CONFIG_MAPS = "{\"kind\":\"ConfigMapList\",\"apiVersion\":\"v1\",\"metadata\":{\"resourceVersion\":\"50\"},\"items\":[%s]}";

	private static final String CONFIG_MAP = "{\"kind\":\"ConfigMap\",\"apiVersion\":\"v1\",\"metadata\":{\"namespace\":\"%s\",\"name\":\"a\",\"uid\":\"a\",\"resourceVersion\":\"50\"}}";

	private static final int SLOTS = 8;

	private static final Duration TRICKLE = Duration.ofMillis(50);

	private final ScriptedApiServer api = ScriptedApiServer.start();

	@AfterEach
	void stop() {
		this.api.close();
	}

	@ParameterizedTest
	@EnumSource(value = ListMode.class, names = { "AUTO", "PAGED" })
	void twelveListsThatTrickleDoNotKeepFourFastOnesFromTheirObjects(ListMode mode) throws InterruptedException {
		this.api.onEvery(Requests.of("pods"), (reply) -> trickle(reply, mode));
		this.api.onEvery((request) -> isFullState(request) && request.path().endsWith("configmaps"), (reply) -> {
			if (mode == ListMode.PAGED) {
				reply.json(200, CONFIG_MAPS.formatted(CONFIG_MAP.formatted("fast")));
			}
			else {
				reply.event("ADDED", CONFIG_MAP.formatted("fast")).initialEventsEnd("50");
			}
		});
		this.api.onEvery((request) -> request.isWatch() && !isFullState(request), ScriptedReply::hold);
		try (Informers informers = informers(this.api.url(), (builder) -> builder.listMode(mode))) {
			Informer<V1Pod> slow = informers.informer(InformerSpec.of(V1Pod.class)
				.withNamespaces(IntStream.range(0, 12).mapToObj((i) -> "slow" + i).toList()));
			informers.start();
			await().until(() -> this.api.requests().size() >= SLOTS);
			List<Informer<V1ConfigMap>> fast = new ArrayList<>();
			for (int i = 0; i < 4; i++) {
				fast.add(informers.informer(
						InformerSpec.of(V1ConfigMap.class).withNamespaces("fast").withLabelSelector("fast=" + i)));
			}
			for (Informer<V1ConfigMap> each : fast) {
				assertThat(each.awaitSync(Duration.ofSeconds(10))).isTrue();
				assertThat(each.snapshot().size()).isOne();
			}
			await().until(() -> this.api.requests()
				.stream()
				.filter((request) -> request.path().endsWith("pods"))
				.count() == 12);
			assertThat(slow.hasSynced()).isFalse();
		}
	}

	private static boolean isFullState(RecordedRequest request) {
		return request.isList() || request.query().containsKey("sendInitialEvents");
	}

	private static void trickle(ScriptedReply reply, ListMode mode) {
		if (mode == ListMode.PAGED) {
			reply.chunk(ScriptedPods.utf8(
					"{\"kind\":\"PodList\",\"apiVersion\":\"v1\",\"metadata\":{\"resourceVersion\":\"41\"},\"items\":["));
		}
		for (int i = 0; i < 400; i++) {
			String pod = ScriptedPods.pod("p" + i + "@" + (i + 1));
			reply = (mode == ListMode.PAGED) ? reply.chunk(ScriptedPods.utf8(pod + ",")) : reply.event("ADDED", pod);
			reply.delay(TRICKLE);
		}
	}

}
