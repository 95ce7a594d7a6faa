package dev.kubeinformer;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

import io.kubernetes.client.openapi.models.V1Pod;
import okhttp3.Protocol;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import dev.kubeinformer.informer.Informer;
import dev.kubeinformer.test.RecordedRequest;
import dev.kubeinformer.test.ScriptedReply;
import dev.kubeinformer.types.InformerState;
import dev.kubeinformer.types.ListMode;
import dev.kubeinformer.types.Problem;

import static dev.kubeinformer.EngineTestSupport.FAST;
import static dev.kubeinformer.EngineTestSupport.await;
import static org.assertj.core.api.Assertions.assertThat;

/** Paged lists that would never end. */
class ListProgressTests {

	private final ScriptedPods api = new ScriptedPods(ListMode.PAGED, Protocol.HTTP_1_1);

	@AfterEach
	void stop() {
		this.api.close();
	}

	@ParameterizedTest
	@EnumSource(Cut.class)
	void listThatIsCutThreeTimesIsReadInPagesOfTheMostRecentState(Cut cut) throws InterruptedException {
		ScriptedReply watch = this.api.state("41", "a@1");
		for (int i = 0; i < 3; i++) {
			this.api.list(cut.script);
		}
		this.api.list((reply) -> reply.json(200, ScriptedPods.podList("50", "next", "a@1")));
		this.api.list((reply) -> reply.json(200, ScriptedPods.podList("50", "", "b@45")));
		this.api.watch();
		Informer<V1Pod> pods = this.api.startAndSync();
		watch.error(410, "too old");
		this.api.awaitDelivered("+a", "+b");
		assertThat(this.api.asked()).startsWith("FULL", "FULL 41", "FULL 41", "FULL 41", "FULL", "PAGE");
		List<RecordedRequest> lists = this.api.requests().stream().filter(RecordedRequest::isList).toList();
		assertThat(lists).extracting((request) -> request.parameter("limit"))
			.containsExactly("500", null, null, null, "500", "500");
		assertThat(lists.get(4).query()).doesNotContainKey("resourceVersion");
		assertThat(pods.lastSyncResourceVersion()).isEqualTo("50");
	}

	@Test
	void listWhosePagesLeadToThemselvesIsMalformedAndBegunAgainAfterAWait() throws InterruptedException {
		String again = ScriptedPods.podList("40", "again", "a@1");
		for (int i = 0; i < 2; i++) {
			this.api.list((reply) -> reply.json(200, again));
			this.api.list((reply) -> reply.json(200, again));
		}
		this.api.state("41", "a@1");
		Informer<V1Pod> pods = this.api.startAndSync();
		this.api.awaitDelivered("+a");
		assertThat(this.api.asked()).startsWith("FULL", "PAGE", "FULL", "PAGE", "FULL");
		assertThat(pods.status().lastError().message()).contains("continue");
		assertThat(pods.lastSyncResourceVersion()).isEqualTo("41");
		List<Duration> gaps = ScriptedPods.gaps(this.api.requests());
		assertThat(gaps.get(3)).isGreaterThan(FAST.backoffBase().minusMillis(1));
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "a@1", "a@1,b@2" })
	void listWhosePagesGoOnWithoutAnythingNewIsMalformedAndBegunAgainAfterAWait(String page)
			throws InterruptedException {
		String[] again = page.isEmpty() ? new String[0] : page.split(",");
		AtomicInteger pages = new AtomicInteger();
		AtomicBoolean endless = new AtomicBoolean(true);
		this.api.server()
			.onEvery(ScriptedPods::isListOrPage, (reply) -> reply.json(200,
					ScriptedPods.podList("40", endless.get() ? "page-" + pages.incrementAndGet() : "", again)));
		this.api.server().onEvery(RecordedRequest::isWatch, ScriptedReply::hold);
		Informer<V1Pod> pods = this.api.start();
		await().atMost(Duration.ofSeconds(30)).until(() -> pods.status().lastError() != null);
		assertThat(pods.status().lastError().problem()).isEqualTo(Problem.MALFORMED);
		assertThat(pods.status().lastError().message()).contains("1000 pages", "'continue'", "nothing new");
		assertThat(pods.status().state()).isEqualTo(InformerState.SYNCING);
		endless.set(false);
		this.api.awaitSync();
	}

	@Test
	void listWithPagesWithoutObjectsInBetweenIsComplete() throws InterruptedException {
		this.api.list((reply) -> reply.json(200, ScriptedPods.podList("40", "1", "a@1")));
		for (int i = 1; i < 20; i++) {
			String next = Integer.toString(i + 1);
			this.api.list((reply) -> reply.json(200, ScriptedPods.podList("40", next)));
		}
		this.api.list((reply) -> reply.json(200, ScriptedPods.podList("40", "", "b@2")));
		this.api.watch();
		this.api.startAndSync();
		this.api.awaitDelivered("+a", "+b");
	}

	@Test
	void listWithATokenThatNoRequestCanCarryIsMalformed() throws InterruptedException {
		this.api.list((reply) -> reply.json(200, ScriptedPods.podList("40", "x".repeat(100_000), "a@1")));
		this.api.state("41", "a@1");
		Informer<V1Pod> pods = this.api.startAndSync();
		assertThat(pods.status().lastError().message()).contains("'continue'", "65536");
	}

	@Test
	void versionZeroOfAListIsNone() throws InterruptedException {
		this.api.list((reply) -> reply.json(200, ScriptedPods.podList("0", "", "a@1")));
		ScriptedReply watch = this.api.watch();
		this.api.list((reply) -> reply.json(200, ScriptedPods.podList("0", "", "a@1", "b@2")));
		this.api.watch();
		Informer<V1Pod> pods = this.api.startAndSync();
		watch.event("ADDED", ScriptedPods.pod("a@1")).end();
		this.api.awaitDelivered("+a", "+b");
		assertThat(this.api.requests().get(1).query()).doesNotContainKey("resourceVersion");
		assertThat(pods.lastSyncResourceVersion()).isEmpty();
		assertThat(pods.status().lists().regressions()).isZero();
	}

	/** Ways in which a server ends a list that takes too long. */
	enum Cut {

		STATUS((reply) -> reply.status(504)),

		CONNECTION((reply) -> reply.chunk(ScriptedPods
			.utf8("{\"kind\":\"PodList\",\"apiVersion\":\"v1\",\"metadata\":{\"resourceVersion\":\"50\"},"
					+ "\"items\":[" + ScriptedPods.pod("a@1") + ","))
			.reset());

		private final Consumer<ScriptedReply> script;

		Cut(Consumer<ScriptedReply> script) {
			this.script = script;
		}

	}

}
