package dev.kubeinformer;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.zip.GZIPOutputStream;

import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.models.V1Pod;
import okhttp3.ConnectionPool;
import okhttp3.Protocol;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import dev.kubeinformer.handler.HandlerOptions;
import dev.kubeinformer.handler.ResourceEvent;
import dev.kubeinformer.informer.Informer;
import dev.kubeinformer.informer.InformerListener;
import dev.kubeinformer.informer.InformerSpec;
import dev.kubeinformer.test.FaultProxy;
import dev.kubeinformer.test.RecordedRequest;
import dev.kubeinformer.test.ScriptedReply;
import dev.kubeinformer.types.InformerState;
import dev.kubeinformer.types.ListMode;
import dev.kubeinformer.types.Shard;
import dev.kubeinformer.types.ShardKey;
import dev.kubeinformer.types.WireEncoding;

import static dev.kubeinformer.EngineTestSupport.FAST;
import static dev.kubeinformer.EngineTestSupport.LONGER_AND_LONGER;
import static dev.kubeinformer.EngineTestSupport.await;
import static dev.kubeinformer.EngineTestSupport.client;
import static dev.kubeinformer.EngineTestSupport.engineThreads;
import static dev.kubeinformer.EngineTestSupport.withErrorEventPatience;
import static dev.kubeinformer.EngineTestSupport.withEveryWatchShort;
import static dev.kubeinformer.EngineTestSupport.withProbation;
import static dev.kubeinformer.EngineTestSupport.withShortWatches;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

/**
 * Watches of an informer, whatever they receive and however they end. The first watch
 * belongs to a list or a streaming list at version 41.
 */
@InEveryWay
class WatchScenarioTests {

	private final ScriptedPods api;

	private final ListMode mode;

	private final Protocol protocol;

	private final WireEncoding encoding;

	private final States states = new States();

	WatchScenarioTests(ListMode mode, Protocol protocol, WireEncoding encoding) {
		this.mode = mode;
		this.protocol = protocol;
		this.encoding = encoding;
		this.api = new ScriptedPods(mode, protocol, encoding);
	}

	@AfterEach
	void stop() {
		this.api.close();
	}

	@Test
	void closedWatchIsResumedFromTheLastVersionWithoutAListOrADuplicate() throws InterruptedException {
		ScriptedReply first = this.api.state("41", "a@1");
		ScriptedReply second = this.api.watch();
		this.api.watch();
		Informer<V1Pod> pods = this.api.startAndSync();
		first.event("ADDED", ScriptedPods.pod("b@42")).end();
		this.api.awaitAsked("FULL", "WATCH 42");
		second.event("ADDED", ScriptedPods.pod("b@42"))
			.event("MODIFIED", ScriptedPods.pod("b@43"))
			.event("DELETED", ScriptedPods.pod("a@44"))
			.end();
		this.api.awaitAsked("FULL", "WATCH 42", "WATCH 44");
		this.api.awaitDelivered("+a", "+b", "~b", "-a");
		assertThat(pods.status().lists().total()).isEqualTo(1);
		assertThat(pods.status().lastError()).isNull();
	}

	@Test
	void connectionThatTheServerClosesIsReplacedAndTheWatchResumed() throws InterruptedException {
		ScriptedReply first = this.api.state("41", "a@1");
		ScriptedReply second = this.api.watch();
		Informer<V1Pod> pods = this.api.startAndSync();
		first.bookmark("42");
		await().until(() -> pods.lastSyncResourceVersion().equals("42"));
		this.api.server().dropConnections();
		second.event("ADDED", ScriptedPods.pod("b@43"));
		this.api.awaitDelivered("+a", "+b");
		assertThat(this.api.asked()).containsExactly("FULL", "WATCH 42");
	}

	@Test
	void serverThatAsksForAnotherConnectionGetsItWithTheNextWatch() throws InterruptedException {
		ScriptedReply first = this.api.state("41", "a@1");
		ScriptedReply second = this.api.watch();
		try (FaultProxy network = FaultProxy.to("127.0.0.1", this.api.server().port())) {
			Informer<V1Pod> pods = this.api.start(
					client("http://127.0.0.1:" + network.port(), this.protocol, this.encoding),
					InformerSpec.of(V1Pod.class), (builder) -> builder);
			this.api.awaitSync();
			await().until(() -> pods.state() == InformerState.LIVE);
			this.api.server().goAway();
			first.event("ADDED", ScriptedPods.pod("b@42"));
			this.api.awaitDelivered("+a", "+b");
			assertThat(network.accepted()).isEqualTo(1);
			first.end();
			second.event("DELETED", ScriptedPods.pod("a@43"));
			this.api.awaitDelivered("+a", "+b", "-a");
			// HTTP/1.1 has no such question, and its connection is free again
			assertThat(network.accepted()).isEqualTo((this.protocol == Protocol.HTTP_1_1) ? 1 : 2);
			assertThat(this.api.asked()).containsExactly("FULL", "WATCH 42");
			assertThat(pods.status().lastError()).isNull();
		}
	}

	@Test
	void watchThatOutlivesItsTimeoutIsAbortedAndResumedAndStaleUntilAByteOfTheNext() throws InterruptedException {
		ScriptedReply first = this.api.state("41", "a@1");
		ScriptedReply second = this.api.watch();
		this.api.everyWatch(ScriptedReply::hold);
		Informer<V1Pod> pods = this.api
			.startAndSync((builder) -> builder.timings(withShortWatches(Duration.ofMillis(200))));
		first.bookmark("42");
		this.api.awaitAsked("FULL", "WATCH 42");
		assertThat(pods.state()).isEqualTo(InformerState.STALE);
		List<RecordedRequest> watches = this.api.requests().stream().filter(RecordedRequest::isWatch).toList();
		int seconds = Integer.parseInt(watches.get(0).parameter("timeoutSeconds"));
		assertThat(seconds).isBetween(1, 2);
		assertThat(ScriptedPods.gaps(watches).get(0)).isBetween(Duration.ofSeconds(seconds),
				Duration.ofSeconds(seconds + 3));
		Instant before = Instant.now();
		second.bookmark("43");
		await().until(() -> pods.state() == InformerState.LIVE);
		assertThat(pods.status().since()).isAfterOrEqualTo(before);
		if (this.protocol == Protocol.H2_PRIOR_KNOWLEDGE) {
			await().until(() -> this.api.server().openRequests() == 1);
		}
	}

	@Test
	void bookmarkMovesTheVersionOfTheNextWatch() throws InterruptedException {
		ScriptedReply first = this.api.state("41", "a@1");
		this.api.watch();
		Informer<V1Pod> pods = this.api.startAndSync();
		first.bookmark("50").end();
		this.api.awaitAsked("FULL", "WATCH 50");
		assertThat(pods.lastSyncResourceVersion()).isEqualTo("50");
		assertThat(this.api.recorder().delivered()).containsExactly("+a");
	}

	@Test
	void emptyVersionNeverReplacesAKnownOne() throws InterruptedException {
		ScriptedReply first = this.api.state("41", "a@1");
		this.api.watch();
		Informer<V1Pod> pods = this.api.startAndSync();
		first.event("ADDED", ScriptedPods.pod("b@")).bookmark("").end();
		this.api.awaitAsked("FULL", "WATCH 41");
		this.api.awaitDelivered("+a", "+b");
		assertThat(pods.lastSyncResourceVersion()).isEqualTo("41");
	}

	@Test
	void expiredEventCostsAList() throws InterruptedException {
		ScriptedReply first = this.api.state("41", "a@1");
		this.api.state("50", "a@1", "b@45");
		Informer<V1Pod> pods = this.api.startAndSync();
		first.bookmark("42").error(410, "too old resource version");
		this.api.awaitDelivered("+a", "+b");
		this.api.awaitAsked("FULL", "FULL 42");
		assertThat(pods.status().lists().total()).isEqualTo(2);
		assertThat(pods.status().lastError().httpStatus()).isEqualTo(410);
	}

	@Test
	void expiredWatchCostsAList() throws InterruptedException {
		ScriptedReply first = this.api.state("41", "a@1");
		this.api.watch((reply) -> reply.status(410));
		this.api.state("50", "a@1", "b@45");
		this.api.startAndSync();
		first.bookmark("42").end();
		this.api.awaitDelivered("+a", "+b");
		this.api.awaitAsked("FULL", "WATCH 42", "FULL 42");
	}

	@Test
	void versionsThatExpireAgainAndAgainBackOffAlthoughAnEventComesBetween() throws InterruptedException {
		ScriptedReply watch = this.api.state("41", "a@1");
		List<ScriptedReply> watches = new ArrayList<>(List.of(watch));
		for (int i = 1; i <= 6; i++) {
			watches.add(this.api.state((41 + 10 * i) + "", "a@1"));
		}
		Informer<V1Pod> pods = this.api.startAndSync((builder) -> builder.timings(LONGER_AND_LONGER));
		for (int i = 0; i < 6; i++) {
			watches.get(i).event("MODIFIED", ScriptedPods.pod("a@" + (45 + 10 * i))).error(410, "too old");
			int states = i + 2;
			await().until(() -> this.api.ways().size() == states);
		}
		List<Duration> gaps = ScriptedPods
			.gaps(this.api.requests().stream().filter(ScriptedPods::isFullState).toList());
		assertThat(gaps.get(5)).isGreaterThan(FAST.backoffBase().multipliedBy(16).minusMillis(1));
		await().until(() -> pods.lastSyncResourceVersion().equals("101"));
	}

	@Test
	void versionsOfAStreamNeverGoBack() throws InterruptedException {
		ScriptedReply first = this.api.state("41", "a@1", "b@2");
		this.api.watch();
		Informer<V1Pod> pods = this.api.startAndSync();
		// kubernetes#95145 and kubernetes#58545
		first.bookmark("50").event("DELETED", ScriptedPods.pod("a@45")).bookmark("44").end();
		this.api.awaitAsked("FULL", "WATCH 50");
		this.api.awaitDelivered("+a", "+b", "-a");
		assertThat(pods.lastSyncResourceVersion()).isEqualTo("50");
	}

	@Test
	void resumedWatchThatBringsAnErrorFirstNeverCountsAsLive() throws InterruptedException {
		ScriptedReply first = this.api.state("41", "a@1");
		ScriptedReply second = this.api.watch();
		this.api.state("50", "a@1", "b@45");
		Informer<V1Pod> pods = this.api
			.start((builder) -> builder.timings(withProbation(Duration.ofMinutes(5))).listener(this.states));
		this.api.awaitSync();
		await().until(() -> pods.state() == InformerState.LIVE);
		first.bookmark("42").reset();
		this.api.awaitAsked("FULL", "WATCH 42");
		second.error(410, "too old");
		this.api.awaitDelivered("+a", "+b");
		await().untilAsserted(() -> assertThat(this.states.all()).containsExactly(InformerState.SYNCING,
				InformerState.LIVE, InformerState.STALE, InformerState.LIVE));
		assertThat(pods.status().lists().total()).isEqualTo(2);
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void resumedWatchIsLiveWithItsFirstBookmarkOrAfterAWhileWithoutAnything(boolean bookmark)
			throws InterruptedException {
		ScriptedReply first = this.api.state("41", "a@1");
		ScriptedReply second = this.api.watch();
		Duration probation = bookmark ? Duration.ofMinutes(5) : FAST.probation();
		Informer<V1Pod> pods = this.api
			.start((builder) -> builder.timings(withProbation(probation)).listener(this.states));
		this.api.awaitSync();
		await().until(() -> pods.state() == InformerState.LIVE);
		first.bookmark("42").reset();
		this.api.awaitAsked("FULL", "WATCH 42");
		if (bookmark) {
			await().untilAsserted(() -> assertThat(this.states.all()).endsWith(InformerState.STALE));
			second.bookmark("43");
		}
		await().untilAsserted(() -> assertThat(this.states.all()).containsExactly(InformerState.SYNCING,
				InformerState.LIVE, InformerState.STALE, InformerState.LIVE));
	}

	@Test
	void throttlingEventIsWaitedOutAndCostsNoList() throws InterruptedException {
		ScriptedReply first = this.api.state("41", "a@1");
		ScriptedReply second = this.api.watch();
		this.api.watch();
		Informer<V1Pod> pods = this.api.startAndSync();
		first.error(429, "too many requests");
		this.api.awaitAsked("FULL", "WATCH 41");
		second.event("ERROR",
				"{\"kind\":\"Status\",\"code\":429,\"reason\":\"TooManyRequests\",\"details\":{\"retryAfterSeconds\":1}}");
		this.api.awaitAsked("FULL", "WATCH 41", "WATCH 41");
		List<Duration> gaps = ScriptedPods.gaps(this.api.requests());
		assertThat(gaps.get(gaps.size() - 1)).isGreaterThan(Duration.ofMillis(990));
		assertThat(pods.status().lastError().httpStatus()).isEqualTo(429);
	}

	@Test
	void watchThatIsThrottledFourTimesCostsFiveWatchesAndOneList() throws InterruptedException {
		ScriptedReply first = this.api.state("41", "a@1");
		for (int i = 0; i < 4; i++) {
			this.api.watch((reply) -> reply.status(429));
		}
		this.api.watch();
		Informer<V1Pod> pods = this.api.startAndSync();
		first.end();
		this.api.awaitAsked("FULL", "WATCH 41", "WATCH 41", "WATCH 41", "WATCH 41", "WATCH 41");
		await().until(() -> pods.state() == InformerState.LIVE);
		assertThat(pods.status().lists().total()).isEqualTo(1);
	}

	@Test
	void internalErrorsAreResumedAtTheSameVersionAndAfterAWhileCostAList() throws InterruptedException {
		Duration patience = Duration.ofSeconds(2);
		ScriptedReply first = this.api.state("41", "a@1");
		this.api.everyWatch((reply) -> reply.error(500, "etcd is ill"));
		this.api.state("50", "a@1", "b@45");
		this.api.startAndSync((builder) -> builder.timings(withErrorEventPatience(patience)));
		first.error(500, "etcd is ill");
		this.api.awaitDelivered("+a", "+b");
		List<String> asked = this.api.asked();
		assertThat(asked).startsWith("FULL", "WATCH 41", "WATCH 41").endsWith("FULL 41").doesNotContain("PROBE");
		assertThat(asked.stream().filter((each) -> each.startsWith("FULL"))).hasSize(2);
		assertThat(ScriptedPods.gaps(this.api.requests().stream().filter(ScriptedPods::isFullState).toList()).get(0))
			.isGreaterThan(patience);
	}

	@ParameterizedTest
	@EnumSource(Refusal.class)
	void watchThatDoesNotOpenKeepsItsVersion(Refusal refusal) throws InterruptedException {
		ScriptedReply first = this.api.state("41", "a@1");
		this.api.watch(refusal::answer);
		this.api.probe("42");
		ScriptedReply last = this.api.watch();
		Informer<V1Pod> pods = this.api.startAndSync();
		first.bookmark("42").reset();
		last.event("ADDED", ScriptedPods.pod("b@43"));
		this.api.awaitDelivered("+a", "+b");
		assertThat(this.api.asked()).containsExactly("FULL", "WATCH 42", "PROBE", "WATCH 42");
		assertThat(pods.state()).isEqualTo(InformerState.LIVE);
		assertThat(pods.status().lists().total()).isEqualTo(1);
	}

	@ParameterizedTest
	@ValueSource(ints = { 429, 503 })
	void watchIsTriedAfterTwoProbesThatFail(int status) throws InterruptedException {
		ScriptedReply first = this.api.state("41", "a@1");
		this.api.watch((reply) -> reply.status(503));
		this.api.server().onEvery(ScriptedPods::isProbe, (reply) -> reply.status(status));
		ScriptedReply last = this.api.watch();
		Informer<V1Pod> pods = this.api.startAndSync();
		first.bookmark("42").reset();
		last.event("ADDED", ScriptedPods.pod("b@43"));
		this.api.awaitDelivered("+a", "+b");
		assertThat(this.api.asked()).containsExactly("FULL", "WATCH 42", "PROBE", "PROBE", "WATCH 42");
		assertThat(pods.status().lists().total()).isEqualTo(1);
	}

	@ParameterizedTest
	@CsvSource({ "403, FORBIDDEN", "404, NOT_FOUND" })
	void deniedWatchIsAskedForLessAndLessAtTheSameVersion(int status, InformerState state) throws InterruptedException {
		ScriptedReply first = this.api.state("41", "a@1");
		for (int i = 0; i < 5; i++) {
			this.api.watch((reply) -> reply.status(status));
		}
		this.api.watch();
		Informer<V1Pod> pods = this.api.startAndSync();
		first.end();
		await().until(() -> pods.state() == state);
		await().until(() -> pods.state() == InformerState.LIVE);
		assertThat(pods.snapshot().keys()).containsExactly("blog/a");
		assertThat(this.api.asked()).containsExactly("FULL", "WATCH 41", "WATCH 41", "WATCH 41", "WATCH 41", "WATCH 41",
				"WATCH 41");
		List<RecordedRequest> requests = this.api.requests();
		List<Duration> gaps = ScriptedPods.gaps(requests.subList(requests.size() - 6, requests.size()));
		assertThat(gaps.get(1)).isGreaterThan(FAST.backoffBase().minusMillis(1));
		assertThat(gaps.get(2)).isGreaterThan(FAST.backoffBase().multipliedBy(2).minusMillis(1));
		assertThat(gaps.get(3)).isGreaterThan(FAST.backoffBase().multipliedBy(4).minusMillis(1));
		assertThat(gaps.get(4)).isGreaterThan(FAST.backoffCap().dividedBy(2).minusMillis(1));
	}

	@ParameterizedTest
	@ValueSource(ints = { 403, 404 })
	void serverThatDeniesOnlyWhileItStartsIsAskedAgainSoon(int status) throws InterruptedException {
		ScriptedReply first = this.api.state("41", "a@1");
		this.api.watch((reply) -> reply.status(503));
		this.api.probe("41");
		this.api.watch((reply) -> reply.status(status));
		this.api.watch((reply) -> reply.status(status));
		this.api.watch();
		Informer<V1Pod> pods = this.api.startAndSync((builder) -> builder.timings(LONGER_AND_LONGER));
		first.end();
		this.api.awaitAsked("FULL", "WATCH 41", "PROBE", "WATCH 41", "WATCH 41", "WATCH 41");
		await().until(() -> pods.state() == InformerState.LIVE);
		assertThat(pods.status().lastError().httpStatus()).isEqualTo(status);
	}

	@ParameterizedTest
	@CsvSource({ "400, malformed", "422, unprocessable", "500, 'Invalid resource version: parsing \"x\"'" })
	void versionThatTheServerDoesNotUnderstandCostsAFreshList(int status, String message) throws InterruptedException {
		ScriptedReply first = this.api.state("41", "a@1");
		this.api.watch((reply) -> reply.json(status,
				"{\"kind\":\"Status\",\"code\":%d,\"message\":\"%s\"}".formatted(status, message.replace("\"", "'"))));
		this.api.state("50", "a@1", "b@45");
		this.api.startAndSync();
		first.bookmark("42").end();
		this.api.awaitDelivered("+a", "+b");
		this.api.awaitAsked("FULL", "WATCH 42", "FULL");
	}

	@Test
	void veryShortWatchesBecomeNoHotLoop() throws InterruptedException {
		ScriptedReply first = this.api.state("41", "a@1");
		for (int i = 0; i < 5; i++) {
			this.api.watch(ScriptedReply::end);
		}
		ScriptedReply last = this.api.watch();
		this.api.probe("42");
		Informer<V1Pod> pods = this.api.startAndSync((builder) -> builder.timings(withEveryWatchShort()));
		first.bookmark("42").end();
		last.event("ADDED", ScriptedPods.pod("b@43"));
		this.api.awaitDelivered("+a", "+b");
		this.api.awaitAsked("FULL", "WATCH 42", "WATCH 42", "WATCH 42", "PROBE", "WATCH 42", "WATCH 42", "WATCH 42");
		List<RecordedRequest> requests = this.api.requests().stream().filter(ScriptedPods::isResumedWatch).toList();
		List<Duration> gaps = ScriptedPods.gaps(requests.subList(requests.size() - 6, requests.size()));
		assertThat(gaps.get(1)).isGreaterThan(FAST.backoffBase().minusMillis(1));
		assertThat(gaps.get(2)).isGreaterThan(FAST.backoffBase().multipliedBy(2).minusMillis(1));
		assertThat(gaps.get(3)).isGreaterThan(FAST.backoffBase().multipliedBy(4).minusMillis(1));
		assertThat(gaps.get(4)).isGreaterThan(FAST.backoffCap().dividedBy(2).minusMillis(1));
		assertThat(pods.status().lastError()).isNull();
	}

	@ParameterizedTest
	@ValueSource(strings = { "garbage", "{\"type\":\"ADDED\"", "{}", "[]", "{\"type\":\"MOVED\",\"object\":{}}",
			"{\"type\":\"ADDED\",\"object\":{\"kind\":\"Node\",\"apiVersion\":\"v1\",\"metadata\":{\"name\":\"n\",\"resourceVersion\":\"99\"}}}" })
	void lineThatIsNoEventOfThisResourceEndsTheWatchAndLosesNothing(String line) throws InterruptedException {
		ScriptedReply first = this.api.state("41", "a@1");
		ScriptedReply second = this.api.watch();
		Informer<V1Pod> pods = this.api.startAndSync();
		first.event("ADDED", ScriptedPods.pod("b@42")).line(line).event("ADDED", ScriptedPods.pod("c@43"));
		this.api.awaitAsked("FULL", "WATCH 42");
		second.event("ADDED", ScriptedPods.pod("c@43"));
		this.api.awaitDelivered("+a", "+b", "+c");
		assertThat(pods.snapshot().keys()).containsExactlyInAnyOrder("blog/a", "blog/b", "blog/c");
		assertThat(pods.status().lists().total()).isEqualTo(1);
	}

	@Test
	void thirdGarbageLineAtOneVersionCostsAList() throws InterruptedException {
		ScriptedReply first = this.api.state("41", "a@1");
		this.api.watch((reply) -> reply.line("garbage"));
		this.api.watch((reply) -> reply.event("ADDED", ScriptedPods.pod("b@43")).line("garbage"));
		this.api.watch((reply) -> reply.line("garbage"));
		this.api.watch((reply) -> reply.line("garbage"));
		this.api.state("50", "a@1", "c@45");
		this.api.startAndSync();
		first.bookmark("42").line("garbage");
		this.api.awaitDelivered("+a", "+b", "-b?", "+c");
		this.api.awaitAsked("FULL", "WATCH 42", "WATCH 42", "WATCH 43", "WATCH 43", "FULL 43");
	}

	@Test
	void eventThatIsCutOffInItsMiddleComesWithTheNextWatch() throws InterruptedException {
		ScriptedReply first = this.api.state("41", "a@1");
		ScriptedReply second = this.api.watch();
		this.api.startAndSync();
		first.chunk(ScriptedPods.utf8("{\"type\":\"ADDED\",\"object\":" + ScriptedPods.pod("b@42"))).end();
		this.api.awaitAsked("FULL", "WATCH 41");
		second.event("ADDED", ScriptedPods.pod("b@42"));
		this.api.awaitDelivered("+a", "+b");
	}

	@ParameterizedTest
	@ValueSource(ints = { 1, 7, 4096, 100_000 })
	void lineOfMegabytesMayBeSplitAtAnyByte(int chunk) throws InterruptedException {
		ScriptedReply watch = this.api.state("41", "a@1");
		Informer<V1Pod> pods = this.api.startAndSync();
		String text = "\u00e4\u20ac\ud83d\ude80".repeat((chunk < 100) ? 300 : 400_000);
		byte[] line = ScriptedPods
			.utf8("{\"type\":\"MODIFIED\",\"object\":" + ScriptedPods.pod("a@42", Map.of("long", text)) + "}\n");
		Random random = new Random(chunk);
		for (int from = 0; from < line.length;) {
			int to = Math.min(line.length, from + 1 + random.nextInt(chunk));
			watch.chunk(Arrays.copyOfRange(line, from, to));
			from = to;
		}
		this.api.awaitDelivered("+a", "~a");
		assertThat(pods.lister().get("blog/a").getMetadata().getLabels().get("long").equals(text)).isTrue();
	}

	@Test
	void eventsMayShareAChunkAndBlankLinesStandBetween() throws InterruptedException {
		ScriptedReply watch = this.api.state("41", "a@1");
		Informer<V1Pod> pods = this.api.startAndSync();
		String added = "{\"type\":\"ADDED\",\"object\":" + ScriptedPods.pod("b@42") + "}";
		String changed = " { \"object\" : " + ScriptedPods.pod("b@43") + " , \"type\" : \"MODIFIED\" } ";
		String deleted = "{\"type\":\"DELETED\",\"object\":" + ScriptedPods.pod("a@44") + "}";
		watch.chunk(ScriptedPods.utf8("\r\n\n" + added + "\r\n\r\n \t\r\n" + changed + "\n\n\n" + deleted + "\r\n"));
		this.api.awaitDelivered("+a", "+b", "~b", "-a");
		assertThat(pods.lastSyncResourceVersion()).isEqualTo("44");
		assertThat(this.api.asked()).containsExactly("FULL");
	}

	@Test
	void silentServerThatSentBookmarksIsResumedProbedAndAtLastListedAfresh() throws InterruptedException {
		ScriptedReply first = this.api.state("41", "a@1");
		this.api.state("50", "a@1", "b@45");
		this.api.everyWatch(ScriptedReply::hold);
		this.api.everyProbe("42");
		Informer<V1Pod> pods = this.api.startAndSync((builder) -> builder.idleTimeout(Duration.ofMillis(800)));
		first.bookmark("41").bookmark("42");
		await().until(() -> this.api.asked().contains("PROBE"));
		assertThat(pods.state()).isEqualTo(InformerState.STALE);
		this.api.awaitDelivered("+a", "+b");
		assertThat(this.api.asked()).startsWith("FULL", "WATCH 42", "PROBE", "WATCH 42", "PROBE", "WATCH 42", "FULL");
		assertThat(pods.status().lists().total()).isEqualTo(2);
	}

	@Test
	void bookmarksThatAreRarerThanTheIdleTimeoutAreNoHeartbeat() throws InterruptedException {
		// As of events, which kube-apiserver watches in etcd directly: one in ten
		// minutes.
		ScriptedReply first = this.api.state("41", "a@1");
		this.api.watch();
		this.api.probe("42");
		this.api.watch((reply) -> reply.hold().delay(Duration.ofMillis(1200)).bookmark("43").end());
		this.api.watch((reply) -> reply.hold().delay(Duration.ofMillis(2400)).event("ADDED", ScriptedPods.pod("b@44")));
		Informer<V1Pod> pods = this.api.startAndSync((builder) -> builder.idleTimeout(Duration.ofMillis(800)));
		first.bookmark("42");
		this.api.awaitDelivered("+a", "+b");
		assertThat(this.api.asked()).containsExactly("FULL", "WATCH 42", "PROBE", "WATCH 42", "WATCH 43");
		assertThat(pods.state()).isEqualTo(InformerState.LIVE);
		assertThat(pods.status().lists().total()).isEqualTo(1);
	}

	@Test
	void silentServerThatNeverSentABookmarkIsLiveOnceItsVersionIsKnown() throws InterruptedException {
		// The end of the initial events is promised, the bookmarks after it are not.
		this.api.state("41", "a@1");
		this.api.watch();
		this.api.probe("41");
		ScriptedReply patient = this.api.watch();
		Informer<V1Pod> pods = this.api.startAndSync((builder) -> builder.idleTimeout(Duration.ofMillis(800)));
		await().until(() -> pods.state() == InformerState.STALE);
		await().until(() -> this.api.asked().contains("PROBE"));
		await().until(() -> pods.state() == InformerState.LIVE);
		patient.event("ADDED", ScriptedPods.pod("b@42"));
		this.api.awaitDelivered("+a", "+b");
		assertThat(this.api.asked()).endsWith("FULL", "WATCH 41", "PROBE", "WATCH 41");
		assertThat(pods.status().lists().total()).isEqualTo(1);
	}

	@Test
	void silentServerIsStaleUntilAByteOfTheNextWatch() throws InterruptedException {
		this.api.state("41", "a@1");
		ScriptedReply second = this.api.watch();
		this.api.everyWatch(ScriptedReply::hold);
		Informer<V1Pod> pods = this.api.startAndSync((builder) -> builder.idleTimeout(Duration.ofSeconds(3)));
		this.api.awaitAsked("FULL", "WATCH 41");
		assertThat(pods.state()).isEqualTo(InformerState.STALE);
		second.bookmark("42");
		await().until(() -> pods.state() == InformerState.LIVE);
		second.end();
		this.api.awaitAsked("FULL", "WATCH 41", "WATCH 42");
	}

	@Test
	void selectorsGoWithEveryRequestButProbesAndAnObjectThatLeavesThemIsDeletedWithItsLastState()
			throws InterruptedException {
		boolean paged = this.mode == ListMode.PAGED;
		if (paged) {
			this.api.list((reply) -> reply.json(200, ScriptedPods.podList("41", "c1")));
		}
		ScriptedReply first = this.api.state("41", "a@1");
		this.api.watch((reply) -> reply.status(503));
		this.api.probe("41");
		ScriptedReply third = this.api.watch();
		this.api.state("50");
		this.api.start(client(this.api.server().url(), this.protocol, this.encoding),
				InformerSpec.of(V1Pod.class)
					.withNamespaces("blog")
					.withLabelSelector("app in (a,b)")
					.withFieldSelector("spec.nodeName=n1"),
				(builder) -> builder);
		this.api.awaitSync();
		first.end();
		third.event("DELETED", ScriptedPods.pod("a@42", Map.of("app", "c")));
		this.api.awaitDelivered("+a", "-a");
		assertThat(this.api.recorder().events().get(1).object().getMetadata().getLabels()).containsEntry("app", "c");
		third.error(410, "too old");
		List<String> asked = new ArrayList<>(List.of("FULL", "WATCH 41", "PROBE", "WATCH 41", "FULL 42"));
		if (paged) {
			asked.add(1, "PAGE");
		}
		this.api.awaitAsked(asked.toArray(String[]::new));
		assertThat(this.api.requests()).allMatch((request) -> "blog".equals(request.namespace()));
		assertThat(this.api.requests()).filteredOn((request) -> !ScriptedPods.isProbe(request))
			.allMatch((request) -> "app in (a,b)".equals(request.parameter("labelSelector")))
			.allMatch((request) -> "spec.nodeName=n1".equals(request.parameter("fieldSelector")));
		RecordedRequest probe = this.api.requests().stream().filter(ScriptedPods::isProbe).findFirst().orElseThrow();
		// The version is that of the server; a selector that matches little costs a scan.
		assertThat(probe.query()).containsOnlyKeys("limit");
		assertThat(probe.header("Accept")).contains("as=PartialObjectMetadataList");
		if (paged) {
			await().until(() -> this.api.requests().size() == 8);
		}
	}

	/** It may be all that the account has the right to list. */
	@Test
	void probeOfAnInformerOfOneObjectNamesIt() throws InterruptedException {
		ScriptedReply first = this.api.state("41", "a@1");
		this.api.watch((reply) -> reply.status(503));
		this.api.probe("41");
		this.api.watch();
		this.api.start(client(this.api.server().url(), this.protocol, this.encoding),
				InformerSpec.of(V1Pod.class).withFieldSelector("metadata.name=a"), (builder) -> builder);
		this.api.awaitSync();
		first.end();
		this.api.awaitAsked("FULL", "WATCH 41", "PROBE", "WATCH 41");
		assertThat(this.api.requests()).filteredOn(ScriptedPods::isProbe)
			.singleElement()
			.satisfies((probe) -> assertThat(probe.parameter("fieldSelector")).isEqualTo("metadata.name=a"));
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void recreatedObjectIsDeliveredInOrderAndUnmergedToABlockedHandler(boolean deletionSeen)
			throws InterruptedException {
		ScriptedReply watch = this.api.state("41", "a@1");
		Informer<V1Pod> pods = this.api.startAndSync();
		CountDownLatch gate = new CountDownLatch(1);
		CountDownLatch entered = new CountDownLatch(1);
		Recorder<V1Pod> slow = new Recorder<>();
		pods.addHandler((ResourceEvent<V1Pod> event) -> {
			entered.countDown();
			gate.await();
			slow.handle(event);
		}, HandlerOptions.defaults());
		assertThat(entered.await(30, TimeUnit.SECONDS)).isTrue();
		if (deletionSeen) {
			watch.event("DELETED", ScriptedPods.pod("a@43")).event("ADDED", ScriptedPods.pod("a/2@44"));
		}
		else {
			watch.event("MODIFIED", ScriptedPods.pod("a/2@44"));
		}
		String deleted = deletionSeen ? "-a" : "-a?";
		this.api.awaitDelivered("+a", deleted, "+a");
		assertThat(slow.delivered()).isEmpty();
		gate.countDown();
		await().untilAsserted(() -> assertThat(slow.delivered()).containsExactly("+a", deleted, "+a"));
		assertThat(slow.events().stream().map((event) -> event.object().getMetadata().getUid())).containsExactly("a",
				"a", "a/2");
	}

	@Test
	void eventsOfAPredecessorThatComeLateDoNotReplaceItsSuccessor() throws InterruptedException {
		ScriptedReply watch = this.api.state("41", "a/2@40");
		Informer<V1Pod> pods = this.api.startAndSync();
		watch.event("MODIFIED", ScriptedPods.pod("a@30"))
			.event("MODIFIED", ScriptedPods.pod("a!@31"))
			.event("DELETED", ScriptedPods.pod("a@32"))
			.event("ADDED", ScriptedPods.pod("a/2@33"))
			.event("ADDED", ScriptedPods.pod("b@44"));
		this.api.awaitDelivered("+a", "+b");
		assertThat(pods.lister().get("blog/a").getMetadata().getUid()).isEqualTo("a/2");
		assertThat(pods.status().cache().quarantined()).isZero();
	}

	@Test
	void eventsOfAPredecessorThatWasInAnotherShardDoNotDeleteItsSuccessor() throws InterruptedException {
		Shard shard = new Shard(ShardKey.UID, 0, 2);
		String own = "a/"
				+ IntStream.range(0, 100).filter((i) -> shard.contains("blog", "a/" + i)).findFirst().orElseThrow();
		String foreign = "a/"
				+ IntStream.range(0, 100).filter((i) -> !shard.contains("blog", "a/" + i)).findFirst().orElseThrow();
		ScriptedReply watch = this.api.state("41", own + "@40");
		Informer<V1Pod> pods = this.api.start(client(this.api.server().url(), this.protocol, this.encoding),
				InformerSpec.of(V1Pod.class).withShard(shard), (builder) -> builder);
		this.api.awaitSync();
		watch.event("MODIFIED", ScriptedPods.pod(foreign + "@30"))
			.bookmark("42")
			.event("MODIFIED", ScriptedPods.pod(own + "@43"));
		this.api.awaitDelivered("+a", "~a");
		watch.event("MODIFIED", ScriptedPods.pod(foreign + "@44"));
		this.api.awaitDelivered("+a", "~a", "-a?");
		assertThat(pods.snapshot().size()).isZero();
	}

	@Test
	void transformThatDropsAPredecessorDoesNotDeleteItsSuccessor() throws InterruptedException {
		ScriptedReply watch = this.api.state("41", "a/2@40");
		this.api.startAndSyncTransformed((object) -> object.getMetadata().getUid().equals("a") ? null : object);
		watch.event("MODIFIED", ScriptedPods.pod("a@30")).event("MODIFIED", ScriptedPods.pod("a/2@42"));
		this.api.awaitDelivered("+a", "~a");
	}

	@Test
	void compressedAnswersAreReadAsTheyCome() throws Exception {
		// The translator to protobuf in this test does not support compression.
		assumeThat(this.encoding).isEqualTo(WireEncoding.JSON);
		ByteArrayOutputStream bytes = new ByteArrayOutputStream();
		GZIPOutputStream gzip = new GZIPOutputStream(bytes, true);
		ScriptedReply watch;
		if (this.mode == ListMode.PAGED) {
			this.api.list((reply) -> compressed(reply).chunk(gzip(ScriptedPods.podList("41", "", "a@1"))).end());
			watch = this.api.watch(WatchScenarioTests::compressed);
		}
		else {
			watch = this.api.stream(WatchScenarioTests::compressed);
			watch.chunk(deflated(gzip, bytes, "{\"type\":\"ADDED\",\"object\":" + ScriptedPods.pod("a@1") + "}\n"
					+ "{\"type\":\"BOOKMARK\",\"object\":{\"kind\":\"Pod\",\"apiVersion\":\"v1\",\"metadata\":{\"resourceVersion\":\"41\",\"annotations\":{\"k8s.io/initial-events-end\":\"true\"}}}}\n"));
		}
		this.api.startAndSync();
		this.api.awaitDelivered("+a");
		watch.chunk(deflated(gzip, bytes, "{\"type\":\"ADDED\",\"object\":" + ScriptedPods.pod("b@42") + "}\n"));
		this.api.awaitDelivered("+a", "+b");
		watch.chunk(deflated(gzip, bytes, "{\"type\":\"DELETED\",\"object\":" + ScriptedPods.pod("a@43") + "}\n"));
		this.api.awaitDelivered("+a", "+b", "-a");
		assertThat(this.api.requests())
			.allMatch((request) -> (request.isWatch() ? "identity" : "gzip").equals(request.header("Accept-Encoding")));
	}

	@ParameterizedTest
	@EnumSource(Phase.class)
	void stopTakesLessThanASecondAndLeavesNoThreadAndNoRequest(Phase phase) {
		phase.script(this.api, this.mode);
		try (FaultProxy network = FaultProxy.to("127.0.0.1", this.api.server().port())) {
			ApiClient client = client("http://127.0.0.1:" + network.port(), this.protocol, this.encoding);
			Informer<V1Pod> pods = this.api.start(client, InformerSpec.of(V1Pod.class), (builder) -> builder);
			await().until(() -> this.api.requests().size() == phase.requests(this.mode)
					&& (phase != Phase.BACKOFF || pods.status().lastError() != null));
			stopAtOnce(client);
			boolean kept = phase == Phase.BACKOFF || this.protocol == Protocol.H2_PRIOR_KNOWLEDGE;
			assertThat(client.getHttpClient().connectionPool().connectionCount()).isEqualTo(kept ? 1 : 0);
			awaitNoRequest(client, network);
			assertThat(pods.state()).isEqualTo(InformerState.STOPPED);
			assertThat(pods.status().lastError() != null).isEqualTo(phase == Phase.BACKOFF);
		}
	}

	@Test
	void stopWhileNobodyAnswersIsAsFast() {
		this.api.server().onEvery(ScriptedPods::isFullState, ScriptedReply::hold);
		try (FaultProxy network = FaultProxy.to("127.0.0.1", this.api.server().port())) {
			network.freeze();
			ApiClient client = client("http://127.0.0.1:" + network.port(), this.protocol, this.encoding);
			Informer<V1Pod> pods = this.api.start(client, InformerSpec.of(V1Pod.class), (builder) -> builder);
			await().until(() -> network.connections() == 1);
			stopAtOnce(client);
			network.thaw();
			awaitNoRequest(client, network);
			assertThat(pods.status().lastError()).isNull();
		}
	}

	private void stopAtOnce(ApiClient client) {
		long before = System.nanoTime();
		this.api.informers().stop();
		assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(Duration.ofSeconds(10));
		await().untilAsserted(() -> assertThat(engineThreads()).isEmpty());
		assertThat(client.getHttpClient().dispatcher().runningCallsCount()).isZero();
		ConnectionPool pool = client.getHttpClient().connectionPool();
		await().until(() -> pool.connectionCount() == pool.idleConnectionCount());
	}

	/**
	 * A request that is given up costs a connection of HTTP/1.1, but only a stream of
	 * HTTP/2.
	 */
	private void awaitNoRequest(ApiClient client, FaultProxy network) {
		ConnectionPool pool = client.getHttpClient().connectionPool();
		await().until(() -> (this.protocol == Protocol.HTTP_1_1) ? network.connections() <= pool.idleConnectionCount()
				: this.api.server().openRequests() == 0);
	}

	private static ScriptedReply compressed(ScriptedReply reply) {
		return reply.header("Content-Encoding", "gzip");
	}

	private static byte[] gzip(String text) {
		ByteArrayOutputStream bytes = new ByteArrayOutputStream();
		try (GZIPOutputStream gzip = new GZIPOutputStream(bytes)) {
			gzip.write(ScriptedPods.utf8(text));
		}
		catch (IOException ex) {
			throw new IllegalStateException(ex);
		}
		return bytes.toByteArray();
	}

	private static byte[] deflated(GZIPOutputStream gzip, ByteArrayOutputStream bytes, String text) throws IOException {
		gzip.write(ScriptedPods.utf8(text));
		gzip.flush();
		byte[] chunk = bytes.toByteArray();
		bytes.reset();
		return chunk;
	}

	/**
	 * The states of an informer, as its listeners are notified of them.
	 */
	static final class States implements InformerListener {

		private final List<InformerState> all = new CopyOnWriteArrayList<>();

		@Override
		public void stateChanged(Informer<?> informer, InformerState before, InformerState now) {
			this.all.add(now);
		}

		List<InformerState> all() {
			return this.all;
		}

	}

	/**
	 * Ways in which a server does not open a watch.
	 */
	enum Refusal {

		HTTP_500((reply) -> reply.status(500)),

		HTTP_502((reply) -> reply.json(502, "<html>bad gateway</html>").header("Content-Type", "text/html")),

		HTTP_503((reply) -> reply.status(503)),

		HTTP_504((reply) -> reply.status(504)),

		RESET(ScriptedReply::refuse),

		END_OF_STREAM(ScriptedReply::hangUp);

		private final Consumer<ScriptedReply> script;

		Refusal(Consumer<ScriptedReply> script) {
			this.script = script;
		}

		void answer(ScriptedReply reply) {
			this.script.accept(reply);
		}

	}

	/** Activity of a reflector at the time of its stop. */
	enum Phase {

		FULL_STATE {

			@Override
			void script(ScriptedPods api, ListMode mode) {
				api.fullState((reply) -> {
					if (mode == ListMode.PAGED) {
						reply.chunk(ScriptedPods
							.utf8("{\"kind\":\"PodList\",\"metadata\":{},\"items\":[" + ScriptedPods.pod("a@1") + ","));
					}
					else {
						ScriptedPods.initialEvents(reply, "a@1");
					}
				});
			}

			@Override
			int requests(ListMode mode) {
				return 1;
			}

		},

		BACKOFF {

			@Override
			void script(ScriptedPods api, ListMode mode) {
				api.fullState((reply) -> reply.retryAfter(Duration.ofSeconds(30)).status(429));
			}

			@Override
			int requests(ListMode mode) {
				return 1;
			}

		},

		WATCH {

			@Override
			void script(ScriptedPods api, ListMode mode) {
				api.state("41", "a@1");
			}

			@Override
			int requests(ListMode mode) {
				return (mode == ListMode.PAGED) ? 2 : 1;
			}

		};

		abstract void script(ScriptedPods api, ListMode mode);

		abstract int requests(ListMode mode);

	}

}
