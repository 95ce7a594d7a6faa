package dev.kubeinformer;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.openapi.models.V1Secret;
import okhttp3.Protocol;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import dev.kubeinformer.handler.ResourceEvent;
import dev.kubeinformer.informer.Informer;
import dev.kubeinformer.test.RecordedRequest;
import dev.kubeinformer.test.Requests;
import dev.kubeinformer.test.ScriptedReply;
import dev.kubeinformer.types.InformerState;
import dev.kubeinformer.types.ListMode;
import dev.kubeinformer.types.WireEncoding;

import static dev.kubeinformer.EngineTestSupport.FAST;
import static dev.kubeinformer.EngineTestSupport.await;
import static org.assertj.core.api.Assertions.assertThat;

/** First full state of an informer, whatever the server does meanwhile. */
@ParameterizedClass
@CsvSource({ "HTTP_1_1, JSON", "H2_PRIOR_KNOWLEDGE, PROTOBUF" })
class SyncScenarioTests {

	private static final String MARKER = "{\"kind\":\"Pod\",\"apiVersion\":\"v1\",\"metadata\":{\"resourceVersion\":\"%s\",\"annotations\":{\"k8s.io/initial-events-end\":\"%s\"}}}";

	private static final String SECRETS = "{\"kind\":\"SecretList\",\"apiVersion\":\"v1\",\"metadata\":{\"resourceVersion\":\"50\"},\"items\":[]}";

	private static final String[] TEN = { "p0@1", "p1@2", "p2@3", "p3@4", "p4@5", "p5@6", "p6@7", "p7@8", "p8@9",
			"p9@10" };

	private final Protocol protocol;

	private final WireEncoding encoding;

	private ScriptedPods api;

	SyncScenarioTests(Protocol protocol, WireEncoding encoding) {
		this.protocol = protocol;
		this.encoding = encoding;
		this.api = new ScriptedPods(ListMode.AUTO, protocol, encoding);
	}

	@AfterEach
	void stop() {
		this.api.close();
	}

	private void mode(ListMode mode) {
		this.api.close();
		this.api = new ScriptedPods(mode, this.protocol, this.encoding);
	}

	@Test
	void requestOfAStreamingListHasItsShapeAndIsTheWatch() throws InterruptedException {
		ScriptedReply stream = this.api.state("41", "a@7");
		Informer<V1Pod> pods = this.api.startAndSync();
		stream.event("ADDED", ScriptedPods.pod("b@42"));
		this.api.awaitDelivered("+a", "+b");
		assertThat(pods.lastSyncResourceVersion()).isEqualTo("42");
		assertThat(this.api.requests()).hasSize(1);
		RecordedRequest request = this.api.requests().get(0);
		assertThat(request.path()).isEqualTo("/api/v1/pods");
		assertThat(request.query()).containsEntry("watch", "true")
			.containsEntry("sendInitialEvents", "true")
			.containsEntry("resourceVersionMatch", "NotOlderThan")
			.containsEntry("allowWatchBookmarks", "true")
			.hasSize(5);
		assertThat(Integer.parseInt(request.parameter("timeoutSeconds"))).isBetween(300, 600);
		this.api.state("43", "a@7", "b@42");
		stream.error(410, "too old");
		this.api.awaitAsked("FULL", "FULL 42");
		assertThat(this.api.requests().get(1).query()).containsEntry("sendInitialEvents", "true")
			.containsEntry("resourceVersionMatch", "NotOlderThan")
			.hasSize(6);
		await().until(() -> pods.lastSyncResourceVersion().equals("43"));
	}

	@Test
	void streamIsNotSyncedWithoutItsMarker() throws InterruptedException {
		this.api.stream((reply) -> reply.event("ADDED", ScriptedPods.pod("a@1"))
			.bookmark("41")
			.event("ADDED", ScriptedPods.pod("b@2"))
			.event("BOOKMARK", MARKER.formatted("42", "false"))
			.event("ADDED", ScriptedPods.pod("c@3"))
			.event("BOOKMARK", MARKER.formatted("43", "true")));
		Informer<V1Pod> pods = this.api.startAndSync();
		assertThat(this.api.recorder().delivered()).containsExactlyInAnyOrder("+a", "+b", "+c");
		assertThat(this.api.recorder().events()).allMatch(ResourceEvent::initial);
		assertThat(pods.lastSyncResourceVersion()).isEqualTo("43");
	}

	@Test
	void changesAndDeletionsBeforeTheMarkerAreHonoured() throws InterruptedException {
		this.api.stream((reply) -> ScriptedPods.initialEvents(reply, "a@1", "b@2")
			.event("MODIFIED", ScriptedPods.pod("a@3"))
			.event("DELETED", ScriptedPods.pod("b@4"))
			.initialEventsEnd("5"));
		Informer<V1Pod> pods = this.api.startAndSync();
		assertThat(this.api.recorder().delivered()).containsExactly("+a");
		assertThat(pods.lister().get("blog/a").getMetadata().getResourceVersion()).isEqualTo("3");
	}

	@ParameterizedTest
	@EnumSource(Interruption.class)
	void interruptedInitialStreamIsDiscardedAsAWhole(Interruption interruption) throws InterruptedException {
		this.api.stream((reply) -> interruption.add(ScriptedPods.initialEvents(reply, "a@1", "b@2")));
		this.api.state("41", "b@2", "c@3");
		Informer<V1Pod> pods = this.api.startAndSync();
		assertThat(this.api.recorder().delivered()).containsExactlyInAnyOrder("+b", "+c");
		assertThat(pods.snapshot().keys()).containsExactlyInAnyOrder("blog/b", "blog/c");
		assertThat(this.api.asked()).containsExactly("FULL", "FULL");
		assertThat(this.api.ways()).containsExactly("STREAM", "STREAM");
	}

	@ParameterizedTest
	@EnumSource(Interruption.class)
	void thirdInterruptedStreamInARowIsReadInPagesForThisRoundOnly(Interruption interruption)
			throws InterruptedException {
		for (int i = 0; i < 3; i++) {
			this.api.stream((reply) -> interruption.add(ScriptedPods.initialEvents(reply, "a@1").bookmark("40")));
		}
		this.api.list((reply) -> reply.json(200, ScriptedPods.podList("41", "", "a@1")));
		this.api.watch((reply) -> reply.error(410, "too old"));
		this.api.state("42", "a@1", "b@42");
		this.api.startAndSync();
		this.api.awaitDelivered("+a", "+b");
		assertThat(this.api.ways()).containsExactly("STREAM", "STREAM", "STREAM", "LIST", "STREAM");
	}

	@ParameterizedTest
	@CsvSource({ "400, 1, true", "403, 1, false", "405, 1, true", "406, 2, true", "415, 2, true", "422, 1, true",
			"501, 1, true" })
	void serverThatRejectsStreamsIsReadInPages(int status, int streams, boolean remembered)
			throws InterruptedException {
		// 406 and 415 may be about the encoding, and it is asked for plain JSON first
		for (int i = 0; i < streams; i++) {
			this.api.stream((reply) -> reply.status(status));
		}
		this.api.list((reply) -> reply.json(200, ScriptedPods.podList("41", "", "a@1")));
		ScriptedReply watch = this.api.watch();
		Informer<V1Pod> pods = this.api.startAndSync();
		assertThat(pods.snapshot().keys()).containsExactly("blog/a");
		if (remembered) {
			this.api.list((reply) -> reply.json(200, ScriptedPods.podList("42", "", "a@1", "b@42")));
			this.api.watch();
		}
		else {
			this.api.state("42", "a@1", "b@42");
		}
		watch.error(410, "too old");
		this.api.awaitDelivered("+a", "+b");
		List<String> ways = this.api.ways();
		assertThat(ways.subList(0, streams)).containsOnly("STREAM");
		assertThat(ways.subList(streams, ways.size())).containsExactly("LIST", remembered ? "LIST" : "STREAM");
	}

	@ParameterizedTest
	@EnumSource(Ignorance.class)
	void serverThatNeverSendsTheMarkerIsReadInPagesFromTheDeadlineOn(Ignorance ignorance) throws InterruptedException {
		this.api.stream((reply) -> ignorance.add(ScriptedPods.initialEvents(reply, "a@1")));
		this.api.list((reply) -> reply.json(200, ScriptedPods.podList("41", "", "a@1")));
		ScriptedReply watch = this.api.watch();
		Informer<V1Pod> pods = this.api
			.startAndSync((builder) -> builder.timings(FAST.withSyncDeadline(Duration.ofMillis(250))));
		assertThat(ScriptedPods.gaps(this.api.requests()).get(0)).isBetween(Duration.ofMillis(240),
				Duration.ofSeconds(3));
		this.api.list((reply) -> reply.json(200, ScriptedPods.podList("42", "", "a@1", "b@42")));
		this.api.watch();
		watch.error(410, "too old");
		this.api.awaitDelivered("+a", "+b");
		assertThat(this.api.ways()).containsExactly("STREAM", "LIST", "LIST");
		assertThat(pods.status().lists().total()).isEqualTo(2);
	}

	@Test
	void initialStreamThatBringsNewObjectsMayTakeLongerThanTheDeadline() throws InterruptedException {
		this.api.stream((reply) -> {
			for (String pod : List.of("a@1", "b@2", "c@3", "d@4")) {
				reply.delay(Duration.ofMillis(600)).event("ADDED", ScriptedPods.pod(pod));
			}
			reply.initialEventsEnd("41");
		});
		this.api.startAndSync((builder) -> builder.timings(FAST.withSyncDeadline(Duration.ofSeconds(2))));
		assertThat(this.api.recorder().delivered()).hasSize(4);
		assertThat(this.api.ways()).containsExactly("STREAM");
	}

	@ParameterizedTest
	@EnumSource(value = ListMode.class, names = { "AUTO", "PAGED" })
	void throttledRequestIsRepeatedWhenTheServerSaysSo(ListMode mode) throws InterruptedException {
		mode(mode);
		this.api.fullState((reply) -> reply.retryAfter(Duration.ofSeconds(1)).status(429));
		this.api.fullState((reply) -> reply.json(429,
				"{\"kind\":\"Status\",\"code\":429,\"reason\":\"TooManyRequests\",\"details\":{\"retryAfterSeconds\":1}}"));
		this.api.state("41", "a@1");
		Informer<V1Pod> pods = this.api.start();
		await().until(() -> pods.status().lastError() != null);
		assertThat(pods.status().lastError().httpStatus()).isEqualTo(429);
		assertThat(pods.state()).isEqualTo(InformerState.SYNCING);
		this.api.awaitSync();
		assertThat(this.api.asked()).containsExactly("FULL", "FULL", "FULL");
		assertThat(ScriptedPods.gaps(this.api.requests()).subList(0, 2))
			.allMatch((gap) -> gap.compareTo(Duration.ofMillis(990)) > 0);
		assertThat(this.api.ways()).containsOnly(this.api.ways().get(0));
	}

	@ParameterizedTest
	@EnumSource(value = ListMode.class, names = { "AUTO", "PAGED" })
	void emptyCollectionIsSynced(ListMode mode) throws InterruptedException {
		mode(mode);
		ScriptedReply watch = this.api.state("41");
		Informer<V1Pod> pods = this.api.startAndSync();
		assertThat(pods.hasSynced()).isTrue();
		assertThat(pods.snapshot().size()).isZero();
		assertThat(pods.lastSyncResourceVersion()).isEqualTo("41");
		watch.event("ADDED", ScriptedPods.pod("a@42"));
		this.api.awaitDelivered("+a");
		assertThat(this.api.recorder().events().get(0).initial()).isFalse();
	}

	@Test
	void tenObjectsComeInPagesOfFourAndAreWatchedFromTheFirst() throws InterruptedException {
		mode(ListMode.PAGED);
		this.api.list((reply) -> reply.json(200, ScriptedPods.podList("41", "c1", "p0@1", "p1@2", "p2@3", "p3@4")));
		this.api.list((reply) -> reply.json(200, ScriptedPods.podList("42", "c2", "p4@5", "p5@6", "p6@7", "p7@8")));
		this.api.list((reply) -> reply.json(200, ScriptedPods.podList("43", "", "p8@9", "p9@10")));
		this.api.watch();
		Informer<V1Pod> pods = this.api.startAndSync((builder) -> builder.pageSize(4));
		assertThat(this.api.recorder().delivered()).hasSize(10).doesNotHaveDuplicates();
		assertThat(pods.lastSyncResourceVersion()).isEqualTo("41");
		await().until(() -> this.api.requests().size() == 4);
		List<RecordedRequest> requests = this.api.requests();
		assertThat(requests.get(0).query()).containsEntry("limit", "4")
			.containsEntry("resourceVersion", "0")
			.hasSize(2);
		assertThat(requests.get(1).query()).containsEntry("limit", "4").containsEntry("continue", "c1").hasSize(2);
		assertThat(requests.get(2).query()).containsEntry("limit", "4").containsEntry("continue", "c2").hasSize(2);
		assertThat(requests.get(3).parameter("resourceVersion")).isEqualTo("41");
	}

	@Test
	void serverThatPagesAtVersionZeroIsReadInPagesOnRelistsToo() throws InterruptedException {
		mode(ListMode.PAGED);
		this.api.list((reply) -> reply.json(200, ScriptedPods.podList("41", "c1", "a@1")));
		this.api.list((reply) -> reply.json(200, ScriptedPods.podList("41", "", "b@2")));
		ScriptedReply watch = this.api.watch();
		this.api.startAndSync();
		ScriptedReply second = this.api.state("43", "a@1", "b@2", "c@42");
		watch.error(410, "too old");
		this.api.awaitDelivered("+a", "+b", "+c");
		assertThat(this.api.requests().get(3).query()).containsEntry("limit", "500")
			.containsEntry("resourceVersion", "41")
			.containsEntry("resourceVersionMatch", "NotOlderThan")
			.hasSize(3);
		second.event("DELETED", ScriptedPods.pod("a@44"));
		this.api.awaitDelivered("+a", "+b", "+c", "-a");
	}

	@Test
	void pageThatExpiredIsAnsweredByTheFullListAtTheVersionFirstAskedFor() throws InterruptedException {
		mode(ListMode.PAGED);
		this.api.list((reply) -> reply.json(200, ScriptedPods.podList("41", "c1", "gone@1", "p0@1", "p1@2", "p2@3")));
		this.api.list((reply) -> reply.status(410));
		this.api.list((reply) -> reply.json(200, ScriptedPods.podList("43", "", TEN)));
		ScriptedReply watch = this.api.watch();
		Informer<V1Pod> pods = this.api.startAndSync((builder) -> builder.pageSize(4));
		assertThat(this.api.recorder().delivered()).hasSize(10).doesNotHaveDuplicates().doesNotContain("+gone");
		await().until(() -> this.api.requests().size() == 4);
		assertThat(this.api.requests().get(2).query()).containsEntry("resourceVersion", "0").hasSize(1);
		assertThat(this.api.requests().get(3).parameter("resourceVersion")).isEqualTo("43");
		assertThat(pods.status().lists().total()).isEqualTo(1);
		this.api.list((reply) -> reply.json(200, ScriptedPods.podList("44", "", TEN)));
		this.api.watch();
		watch.error(410, "too old");
		await().until(() -> pods.lastSyncResourceVersion().equals("44"));
		assertThat(this.api.requests().get(4).query()).containsEntry("resourceVersion", "43")
			.containsEntry("limit", "4");
	}

	@Test
	void pageOfARelistThatExpiredIsAnsweredByTheFullListAtTheVersionFirstAskedFor() throws InterruptedException {
		mode(ListMode.PAGED);
		this.api.list((reply) -> reply.json(200, ScriptedPods.podList("41", "c1", "a@1")));
		this.api.list((reply) -> reply.json(200, ScriptedPods.podList("41", "", "b@2")));
		ScriptedReply watch = this.api.watch();
		this.api.startAndSync();
		this.api.list((reply) -> reply.json(200, ScriptedPods.podList("50", "c2", "a@1", "gone@45")));
		this.api.list((reply) -> reply.status(410));
		this.api.list((reply) -> reply.json(200, ScriptedPods.podList("51", "", "a@1", "b@2", "c@51")));
		ScriptedReply second = this.api.watch();
		watch.bookmark("42").error(410, "too old");
		this.api.awaitDelivered("+a", "+b", "+c");
		List<RecordedRequest> lists = this.api.requests().stream().filter(ScriptedPods::isListOrPage).toList();
		assertThat(lists.get(2).query()).containsEntry("resourceVersion", "42")
			.containsEntry("limit", "500")
			.containsEntry("resourceVersionMatch", "NotOlderThan")
			.hasSize(3);
		assertThat(lists.get(3).query()).containsEntry("continue", "c2").containsEntry("limit", "500").hasSize(2);
		assertThat(lists.get(4).query()).containsEntry("resourceVersion", "42").hasSize(1);
		this.api.list((reply) -> reply.json(200, ScriptedPods.podList("60", "", "a@1", "b@2", "c@51", "d@60")));
		this.api.watch();
		second.error(410, "too old");
		this.api.awaitDelivered("+a", "+b", "+c", "+d");
		lists = this.api.requests().stream().filter(ScriptedPods::isListOrPage).toList();
		assertThat(lists.get(5).query()).containsEntry("resourceVersion", "51").containsEntry("limit", "500");
	}

	@ParameterizedTest
	@EnumSource(value = ListMode.class, names = { "AUTO", "PAGED" })
	void slotOfAFullStateThatHangsIsLentOn(ListMode mode) throws InterruptedException {
		mode(mode);
		ScriptedReply hanging = this.api.fullState(ScriptedReply::hold);
		this.api.everyWatch(ScriptedReply::hold);
		Instant start = Instant.now();
		Informer<V1Pod> pods = this.api
			.start((builder) -> builder.concurrentSyncs(1).timings(FAST.withSyncDeadline(Duration.ofSeconds(10))));
		await().until(() -> this.api.requests().size() == 1);
		this.api.server().on(Requests.of("secrets"), (reply) -> {
			if (mode == ListMode.PAGED) {
				reply.json(200, SECRETS);
			}
			else {
				reply.initialEventsEnd("50");
			}
		});
		Informer<V1Secret> secrets = this.api.informers().informer(V1Secret.class);
		assertThat(secrets.awaitSync(Duration.ofSeconds(10))).isTrue();
		assertThat(Duration.between(start, this.api.requests().get(1).at()))
			.isGreaterThan(FAST.slotPatience().minusMillis(1));
		assertThat(pods.hasSynced()).isFalse();
		if (mode == ListMode.PAGED) {
			hanging.line(ScriptedPods.podList("41", "", "a@1")).end();
		}
		else {
			ScriptedPods.initialEvents(hanging, "a@1").initialEventsEnd("41");
		}
		this.api.awaitSync();
		this.api.awaitDelivered("+a");
		assertThat(pods.lastSyncResourceVersion()).isEqualTo("41");
	}

	@ParameterizedTest
	@EnumSource(value = ListMode.class, names = { "AUTO", "PAGED" })
	void listThatFailsIsRepeatedWithGrowingGaps(ListMode mode) throws InterruptedException {
		mode(mode);
		for (int i = 0; i < 5; i++) {
			this.api.fullState((reply) -> reply.status(503));
		}
		ScriptedReply last = this.api.list(ScriptedReply::hold);
		this.api.watch();
		Informer<V1Pod> pods = this.api.start();
		await().until(() -> this.api.requests().size() == 6);
		assertThat(pods.state()).isEqualTo(InformerState.SYNCING);
		assertThat(pods.hasSynced()).isFalse();
		assertThat(pods.status().lastError().httpStatus()).isEqualTo(503);
		assertThat(pods.status().lastError().verb()).isEqualTo("list");
		assertThat(pods.status().lastError().resource()).isEqualTo("pods");
		last.line(ScriptedPods.podList("41", "", "a@1")).end();
		this.api.awaitSync();
		await().until(() -> pods.state() == InformerState.LIVE);
		List<Duration> gaps = ScriptedPods.gaps(this.api.requests());
		assertThat(gaps.get(1)).isGreaterThan(FAST.backoffBase().minusMillis(1));
		assertThat(gaps.get(2)).isGreaterThan(FAST.backoffBase().multipliedBy(2).minusMillis(1));
		assertThat(gaps.get(3)).isGreaterThan(FAST.backoffBase().multipliedBy(4).minusMillis(1));
		assertThat(gaps.get(4)).isGreaterThan(FAST.backoffCap().dividedBy(2).minusMillis(1));
	}

	@ParameterizedTest
	@ValueSource(strings = { "<html>maintenance</html>", "", "[]", "{\"kind\":\"PodList\",\"metadata\":{},\"items\":[",
			"{\"kind\":\"Table\",\"apiVersion\":\"meta.k8s.io/v1\",\"metadata\":{\"resourceVersion\":\"50\"},\"rows\":[]}",
			"{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"metadata\":{},\"status\":\"Success\"}" })
	void malformedListIsRepeatedAndTheStoreStaysAsItWas(String body) throws InterruptedException {
		mode(ListMode.PAGED);
		ScriptedReply watch = this.api.state("41", "a@1");
		Informer<V1Pod> pods = this.api.startAndSync();
		this.api.list((reply) -> reply.json(200, body));
		ScriptedReply again = this.api.list(ScriptedReply::hold);
		this.api.watch();
		watch.error(410, "too old");
		await().until(() -> this.api.requests().size() == 4);
		assertThat(pods.snapshot().keys()).containsExactly("blog/a");
		assertThat(pods.state()).isEqualTo(InformerState.STALE);
		assertThat(pods.hasSynced()).isTrue();
		assertThat(pods.status().lastError().verb()).isEqualTo("list");
		again.line(ScriptedPods.podList("42", "", "b@42")).end();
		this.api.awaitDelivered("+a", "-a?", "+b");
		assertThat(this.api.asked()).containsExactly("FULL", "FULL 41", "FULL 41");
	}

	@Test
	void garbageInAnInitialStreamLeavesTheStoreAsItWas() throws InterruptedException {
		ScriptedReply watch = this.api.state("41", "a@1");
		Informer<V1Pod> pods = this.api.startAndSync();
		this.api.stream((reply) -> ScriptedPods.initialEvents(reply, "b@2").line("<html>"));
		ScriptedReply again = this.api.state("42", "a@1", "c@42");
		watch.error(410, "too old");
		this.api.awaitDelivered("+a", "+c");
		assertThat(this.api.asked()).containsExactly("FULL", "FULL 41", "FULL 41");
		again.event("DELETED", ScriptedPods.pod("a@43"));
		this.api.awaitDelivered("+a", "+c", "-a");
		assertThat(pods.status().lastError().reason()).isEqualTo("MalformedResponseException");
	}

	@ParameterizedTest
	@EnumSource(value = ListMode.class, names = { "AUTO", "PAGED" })
	void unreadableObjectStaysAcrossARelistAndIsDeletedWhenItIsGone(ListMode mode) throws InterruptedException {
		mode(mode);
		ScriptedReply first = this.api.state("41", "a@1", "b@2", "never!@3");
		Informer<V1Pod> pods = this.api.startAndSync();
		assertThat(pods.status().cache().quarantined()).isEqualTo(1);
		first.event("MODIFIED", ScriptedPods.pod("a!@42"));
		await().until(() -> pods.status().cache().quarantined() == 2);
		assertThat(pods.lastSyncResourceVersion()).isEqualTo("42");
		ScriptedReply second = this.api.state("43", "a!@42", "b@2", "never!@3");
		first.error(410, "too old");
		await().until(() -> pods.lastSyncResourceVersion().equals("43"));
		assertThat(pods.lister().get("blog/a").getMetadata().getResourceVersion()).isEqualTo("1");
		assertThat(pods.status().cache().quarantined()).isEqualTo(2);
		this.api.state("44", "b@2", "never!@3");
		second.error(410, "too old");
		await().untilAsserted(() -> assertThat(this.api.recorder().delivered()).hasSize(3).endsWith("-a?"));
		assertThat(pods.status().cache().quarantined()).isEqualTo(1);
		assertThat(pods.snapshot().keys()).containsExactly("blog/b");
	}

	@ParameterizedTest
	@EnumSource(value = ListMode.class, names = { "AUTO", "PAGED" })
	void unreadableObjectOfAnotherUidIsNotTheOneThatWasThere(ListMode mode) throws InterruptedException {
		mode(mode);
		ScriptedReply first = this.api.state("41", "a@1");
		Informer<V1Pod> pods = this.api.startAndSync();
		this.api.state("43", "a/2!@42");
		first.error(410, "too old");
		this.api.awaitDelivered("+a", "-a?");
		assertThat(pods.status().cache().quarantined()).isEqualTo(1);
	}

	/**
	 * Ways in which a stream ends before its marker.
	 */
	enum Interruption {

		END((reply) -> reply.end()),

		CUT((reply) -> reply.reset()),

		HALF_A_LINE((reply) -> reply.chunk(ScriptedPods.utf8("{\"type\":\"ADDED\",\"obj")).end()),

		GARBAGE((reply) -> reply.line("garbage")),

		FOREIGN_KIND((reply) -> reply.event("ADDED", "{\"kind\":\"Node\",\"metadata\":{\"name\":\"n\"}}"));

		private final Consumer<ScriptedReply> script;

		Interruption(Consumer<ScriptedReply> script) {
			this.script = script;
		}

		void add(ScriptedReply reply) {
			this.script.accept(reply);
		}

	}

	/** Answers of a server that treats a streaming list as a watch. */
	enum Ignorance {

		NOTHING((reply, i) -> {
		}),

		THE_SAME_OBJECT((reply, i) -> reply.event("ADDED", ScriptedPods.pod("a@1"))),

		CHANGES((reply, i) -> reply.event("MODIFIED", ScriptedPods.pod("a@" + (i + 2)))),

		NEW_OBJECTS_AFTER_A_CHANGE(
				(reply, i) -> reply.event((i == 0) ? "MODIFIED" : "ADDED", ScriptedPods.pod("a" + i + "@2"))),

		BOOKMARKS((reply, i) -> reply.bookmark(Integer.toString(i + 2)));

		private final BiConsumer<ScriptedReply, Integer> each;

		Ignorance(BiConsumer<ScriptedReply, Integer> each) {
			this.each = each;
		}

		void add(ScriptedReply reply) {
			for (int i = 0; i < 30; i++) {
				this.each.accept(reply, i);
				reply.delay(Duration.ofMillis(100));
			}
		}

	}

}
