package dev.kubeinformer;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.models.V1Pod;
import okhttp3.Protocol;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.kubeinformer.handler.HandlerOptions;
import dev.kubeinformer.handler.HandlerRegistration;
import dev.kubeinformer.handler.ResourceEvent;
import dev.kubeinformer.informer.Informer;
import dev.kubeinformer.informer.InformerSpec;
import dev.kubeinformer.informer.RequiredRbac;
import dev.kubeinformer.resource.KubernetesResource;
import dev.kubeinformer.test.EmbeddedKubernetes;
import dev.kubeinformer.test.Fault;
import dev.kubeinformer.test.FaultProxy;
import dev.kubeinformer.test.RecordedRequest;
import dev.kubeinformer.test.Requests;
import dev.kubeinformer.types.InformerState;
import dev.kubeinformer.types.ListMode;
import dev.kubeinformer.types.WireEncoding;

import static dev.kubeinformer.EngineTestSupport.FAST;
import static dev.kubeinformer.EngineTestSupport.await;
import static dev.kubeinformer.EngineTestSupport.client;
import static dev.kubeinformer.EngineTestSupport.engineThreads;
import static dev.kubeinformer.EngineTestSupport.informers;
import static dev.kubeinformer.EngineTestSupport.pod;
import static dev.kubeinformer.EngineTestSupport.recorded;
import static dev.kubeinformer.EngineTestSupport.relabelled;
import static dev.kubeinformer.EngineTestSupport.withShortWatches;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

/** Behaviour of informers towards faults of servers and networks. */
@InEveryWay
class InformerFaultTests {

	private static final Duration LONG = Duration.ofSeconds(60);

	private final EmbeddedKubernetes api = EmbeddedKubernetes.builder()
		.bookmarkInterval(Duration.ofMillis(200))
		.start();

	private final FaultProxy network = FaultProxy.to("127.0.0.1", this.api.port());

	private final ListMode mode;

	private final Protocol protocol;

	private final WireEncoding encoding;

	private Informers informers;

	private final Recorder<V1Pod> recorder = new Recorder<>();

	InformerFaultTests(ListMode mode, Protocol protocol, WireEncoding encoding) {
		this.mode = mode;
		this.protocol = protocol;
		this.encoding = encoding;
		this.informers = overTheNetwork((builder) -> builder);
	}

	@AfterEach
	void stop() {
		this.informers.close();
		this.network.close();
		this.api.close();
		assertThat(this.api.requests()).allMatch((request) -> request.protocol().equals(recorded(this.protocol)));
		await().untilAsserted(() -> assertThat(engineThreads()).isEmpty());
	}

	@Test
	void networkThatIsCutCostsNoListAndNoDuplicate() throws InterruptedException {
		create("a");
		create("b");
		Informer<V1Pod> pods = startPods();
		this.network.cut();
		await().until(() -> pods.state() == InformerState.STALE);
		assertThat(pods.hasSynced()).isTrue();
		assertThat(pods.status().lastError().verb()).isEqualTo("watch");
		this.api.resources(V1Pod.class).delete("blog", "a");
		create("c");
		assertThat(pods.snapshot().keys()).containsExactlyInAnyOrder("blog/a", "blog/b");
		this.network.restore();
		await().untilAsserted(
				() -> assertThat(this.recorder.delivered()).containsExactlyInAnyOrder("+a", "+b", "-a", "+c"));
		await().until(() -> pods.state() == InformerState.LIVE);
		assertThat(pods.status().lists().total()).isEqualTo(1);
		assertThat(lists()).hasSize(1);
	}

	@Test
	void serverThatIsGoneAndBackCostsNoList() throws InterruptedException {
		create("a");
		Informer<V1Pod> pods = startPods();
		this.api.stopServing();
		await().until(() -> pods.state() == InformerState.STALE);
		create("b");
		this.api.resumeServing();
		await().untilAsserted(() -> assertThat(this.recorder.delivered()).containsExactly("+a", "+b"));
		assertThat(lists()).hasSize(1);
	}

	@Test
	void restartedServerCostsOneListAndTellsNothingOfUnchangedObjects() throws InterruptedException {
		create("a");
		create("b");
		Informer<V1Pod> pods = startPods();
		V1Pod before = pods.lister().get("blog/a");
		this.api.stopServing();
		this.api.resources(V1Pod.class).delete("blog", "b");
		create("c");
		this.api.resumeServing();
		this.api.restart();
		await().untilAsserted(() -> assertThat(pods.status().lists().total()).isGreaterThanOrEqualTo(1));
		create("d");
		await().untilAsserted(() -> assertThat(this.recorder.delivered()).contains("+d"));
		assertThat(Set.copyOf(this.recorder.delivered())).isSubsetOf("+a", "+b", "-b", "-b?", "+c", "+d");
		assertThat(this.recorder.delivered()).doesNotHaveDuplicates().hasSize(5);
		assertThat(pods.lister().get("blog/a")).isSameAs(before);
		assertThat(lists()).hasSizeLessThanOrEqualTo(2);
	}

	@Test
	void expiredVersionCostsOneListThatTellsDifferencesOnlyAndDeletesFirst() throws InterruptedException {
		create("a");
		create("b");
		Informer<V1Pod> pods = startPods();
		V1Pod before = pods.lister().get("blog/a");
		this.network.cut();
		await().until(() -> pods.state() == InformerState.STALE);
		create("c");
		this.api.resources(V1Pod.class).delete("blog", "b");
		this.api.compact();
		this.network.restore();
		await().untilAsserted(() -> assertThat(this.recorder.delivered()).hasSize(4));
		assertThat(this.recorder.delivered().subList(2, 4)).containsExactly("-b?", "+c");
		assertThat(pods.lister().get("blog/a")).isSameAs(before);
		assertThat(lists()).hasSize(2);
		assertThat(lists().get(1).parameter("resourceVersion")).isNotIn("", "0");
	}

	@Test
	void recreatedObjectIsDeletedAndAddedByARelist() throws InterruptedException {
		create("a");
		Informer<V1Pod> pods = startPods();
		this.network.cut();
		await().until(() -> pods.state() == InformerState.STALE);
		this.api.resources(V1Pod.class).delete("blog", "a");
		create("a");
		this.api.compact();
		this.network.restore();
		await().untilAsserted(() -> assertThat(this.recorder.delivered()).containsExactly("+a", "-a?", "+a"));
	}

	@Test
	void watchThatTheServerEndsIsResumedWithoutAList() throws InterruptedException {
		this.informers.close();
		this.informers = informers(client(this.api.url(), this.protocol, this.encoding),
				(builder) -> builder.listMode(this.mode).timings(withShortWatches(FAST.watchOverrun())));
		Informer<V1Pod> pods = startPods();
		List<String> expected = new ArrayList<>();
		while (watches().size() < ((this.mode == ListMode.PAGED) ? 2 : 1)) {
			expected.add("+p" + expected.size());
			create("p" + (expected.size() - 1));
			await().untilAsserted(() -> assertThat(this.recorder.delivered()).isEqualTo(expected));
		}
		assertThat(pods.state()).isEqualTo(InformerState.LIVE);
		assertThat(pods.status().lastError()).isNull();
		assertThat(lists()).hasSize(1);
	}

	@Test
	void watchThatIsCutAgainAndAgainLosesAndDoublesNothing() throws InterruptedException {
		this.api.faults().on(Requests.watch("pods")).cutAfter(3);
		Informer<V1Pod> pods = startPods();
		for (int i = 0; i < 200; i++) {
			create("p" + i);
		}
		await().atMost(LONG.multipliedBy(2))
			.untilAsserted(() -> assertThat(this.recorder.delivered()).hasSize(200).doesNotHaveDuplicates());
		assertThat(pods.snapshot().size()).isEqualTo(200);
		assertThat(lists()).hasSize(1);
		assertThat(watches()).hasSizeGreaterThan(10);
	}

	@ParameterizedTest
	@ValueSource(ints = { 401, 429, 503 })
	void watchThatDoesNotOpenIsTriedAgainAtTheSameVersion(int status) throws InterruptedException {
		create("a");
		Informer<V1Pod> pods = startPods();
		await().until(() -> this.api.openWatches() == 1);
		this.api.clearRequests();
		Fault fault = this.api.faults()
			.on(Requests.watch("pods").withoutParameter("sendInitialEvents"))
			.times(3)
			.status(status);
		this.api.dropConnections();
		await().until(() -> fault.hits() == 3 && pods.state() == InformerState.LIVE);
		assertThat(lists()).isEmpty();
		assertThat(watches()).hasSize(4);
		assertThat(watches().stream().map((each) -> each.parameter("resourceVersion")).distinct()).hasSize(1);
		assertThat(pods.status().lastError().httpStatus()).isEqualTo(status);
		assertThat(probes()).hasSize((status != 429) ? 3 : 0);
	}

	@Test
	void listThatFailsIsRepeatedAndSaysWhy() throws InterruptedException {
		create("a");
		Fault fault = this.api.faults().on(Requests.of("pods")).status(503);
		Informer<V1Pod> pods = this.informers.informer(V1Pod.class);
		this.informers.start();
		await().until(() -> fault.hits() >= 3);
		assertThat(pods.state()).isEqualTo(InformerState.SYNCING);
		assertThat(pods.hasSynced()).isFalse();
		assertThat(pods.status().lastError().httpStatus()).isEqualTo(503);
		assertThat(pods.status().lastError().verb()).isEqualTo("list");
		fault.remove();
		assertThat(pods.awaitSync(LONG)).isTrue();
	}

	@Test
	void missingRbacRuleIsNamedAndItsArrivalNoticed() throws InterruptedException {
		create("a");
		Fault fault = this.api.faults().on(Requests.of("pods")).forbid();
		Informer<V1Pod> pods = this.informers.informer(InformerSpec.of(V1Pod.class).withNamespaces("blog", "shop"));
		this.informers.start();
		await().until(() -> pods.status().requiredRbac().size() == 2);
		assertThat(pods.state()).isEqualTo(InformerState.FORBIDDEN);
		assertThat(pods.status().requiredRbac()).containsExactly(
				new RequiredRbac("", "pods", List.of(), List.of("list", "watch"), "blog"),
				new RequiredRbac("", "pods", List.of(), List.of("list", "watch"), "shop"));
		fault.remove();
		await().until(() -> pods.state() == InformerState.LIVE);
		assertThat(pods.status().requiredRbac()).isEmpty();
	}

	@Test
	void ruleThatIsTakenAwayLaterLeavesTheCacheAsItWas() throws InterruptedException {
		create("a");
		Informer<V1Pod> pods = startPods();
		Fault fault = this.api.faults().on(Requests.watch("pods")).forbid();
		this.api.dropConnections();
		await().until(() -> pods.state() == InformerState.FORBIDDEN);
		assertThat(pods.snapshot().keys()).containsExactly("blog/a");
		create("b");
		fault.remove();
		await().untilAsserted(() -> assertThat(this.recorder.delivered()).containsExactly("+a", "+b"));
		assertThat(lists()).hasSize(1);
	}

	@Test
	void unknownResourceIsNotFound() {
		Informer<Widget> widgets = this.informers.informer(Widget.class);
		this.informers.start();
		await().until(() -> widgets.state() == InformerState.NOT_FOUND);
		assertThat(widgets.status().lastError().httpStatus()).isEqualTo(404);
	}

	@Test
	void malformedObjectCostsNoOtherAndComesWhenItIsMended() throws InterruptedException {
		List.of("a", "bad", "c").forEach(this::create);
		Fault fault = this.api.faults()
			.corrupt(V1Pod.class, "blog", "bad",
					(json) -> json.replaceFirst("\"containers\":\\[", "\"containers\":7,\"x\":["));
		Informer<V1Pod> pods = startPods();
		assertThat(this.recorder.delivered()).containsExactlyInAnyOrder("+a", "+c");
		assertThat(pods.status().cache().quarantined()).isEqualTo(1);
		assertThat(pods.status().lastError().message()).contains("blog/bad").contains("'spec.containers");
		fault.remove();
		this.api.resources(V1Pod.class).update(relabelled(pod("blog", "bad"), "good"));
		await().untilAsserted(() -> assertThat(this.recorder.delivered()).contains("+bad"));
		assertThat(pods.status().cache().quarantined()).isZero();
	}

	@Test
	void firstOfManyMalformedObjectsAreNamedWithTheirReasons() throws InterruptedException {
		for (int i = 1; i <= 7; i++) {
			create("bad" + i);
			String field = (i == 2) ? "hostNetwork" : "priority";
			this.api.faults()
				.corrupt(V1Pod.class, "blog", "bad" + i,
						(json) -> json.replaceFirst("\"containers\":", "\"%s\":[],\"containers\":".formatted(field)));
		}
		Informer<V1Pod> pods = startPods();
		assertThat(pods.status().lastError().message()).isEqualTo("7 of the pods cannot be read; "
				+ "'blog/bad1', 'blog/bad3', 'blog/bad4', 'blog/bad5' are quarantined: the field 'spec.priority' cannot be read as Integer; "
				+ "'blog/bad2' is quarantined: the field 'spec.hostNetwork' cannot be read as Boolean; and 2 more");
		assertThat(pods.quarantined().everything()).isTrue();
		assertThat(pods.quarantined().problems()).hasSize(5);
		create("good");
		await().until(() -> !pods.quarantined().everything());
	}

	@Test
	void objectThatBecomesMalformedStaysAsItWasAndItsDeletionIsDelivered() throws InterruptedException {
		create("a");
		Informer<V1Pod> pods = startPods();
		this.api.faults()
			.corrupt(V1Pod.class, "blog", "a",
					(json) -> json.replaceFirst("\"containers\":\\[", "\"containers\":7,\"x\":["));
		this.api.resources(V1Pod.class).update(relabelled(pod("blog", "a"), "new"));
		await().until(() -> pods.status().cache().quarantined() == 1);
		assertThat(pods.lister().get("blog/a").getMetadata().getLabels()).containsEntry("app", "a");
		this.network.cut();
		await().until(() -> pods.state() == InformerState.STALE);
		create("b");
		this.api.compact();
		this.network.restore();
		await().untilAsserted(() -> assertThat(this.recorder.delivered()).containsExactly("+a", "+b"));
		assertThat(lists()).hasSize(2);
		assertThat(pods.snapshot().keys()).containsExactlyInAnyOrder("blog/a", "blog/b");
		this.api.resources(V1Pod.class).delete("blog", "a");
		await().untilAsserted(() -> assertThat(this.recorder.delivered()).containsExactly("+a", "+b", "-a?"));
		assertThat(pods.status().cache().quarantined()).isZero();
	}

	@Test
	void halfOpenConnectionIsNoticedAndCostsNoList() throws InterruptedException {
		this.informers.close();
		this.informers = overTheNetwork((builder) -> builder.idleTimeout(Duration.ofSeconds(3)));
		create("a");
		Informer<V1Pod> pods = startPods();
		this.network.freeze();
		await().until(() -> pods.state() == InformerState.STALE);
		this.network.cut();
		this.network.thaw();
		create("b");
		this.network.restore();
		await().untilAsserted(() -> assertThat(this.recorder.delivered()).containsExactly("+a", "+b"));
		await().until(() -> pods.state() == InformerState.LIVE);
		assertThat(lists()).hasSize(1);
	}

	@Test
	void connectionThatTheNetworkHasForgottenIsReplacedAndCostsNoList() throws InterruptedException {
		this.informers.close();
		this.informers = overTheNetwork((builder) -> builder.idleTimeout(Duration.ofSeconds(3)));
		create("a");
		Informer<V1Pod> pods = startPods();
		int connections = this.network.accepted();
		this.network.abandon();
		create("b");
		await().untilAsserted(() -> assertThat(this.recorder.delivered()).containsExactly("+a", "+b"));
		await().until(() -> pods.state() == InformerState.LIVE);
		assertThat(this.network.accepted()).isEqualTo(connections + 1);
		assertThat(lists()).hasSize(1);
	}

	@Test
	void connectionThatAnswersNoPingIsReplacedBeforeItsWatchesHaveBeenSilentForLong() throws InterruptedException {
		// HTTP/1.1 has no pings
		assumeThat(this.protocol).isEqualTo(Protocol.H2_PRIOR_KNOWLEDGE);
		this.informers.close();
		ApiClient client = client("http://127.0.0.1:" + this.network.port(), this.protocol, this.encoding);
		client.setHttpClient(client.getHttpClient().newBuilder().pingInterval(Duration.ofSeconds(2)).build());
		this.informers = informers(client, (builder) -> builder.listMode(this.mode));
		create("a");
		Informer<V1Pod> pods = startPods();
		int connections = this.network.accepted();
		this.network.abandon();
		create("b");
		await().untilAsserted(() -> assertThat(this.recorder.delivered()).containsExactly("+a", "+b"));
		await().until(() -> pods.state() == InformerState.LIVE);
		assertThat(this.network.accepted()).isEqualTo(connections + 1);
		assertThat(lists()).hasSize(1);
	}

	@Test
	void bookmarkMovesTheVersionAndTellsNobody() throws InterruptedException {
		Informer<V1Pod> pods = startPods();
		this.api.resources(io.kubernetes.client.openapi.models.V1ConfigMap.class)
			.create(new io.kubernetes.client.openapi.models.V1ConfigMap()
				.metadata(new io.kubernetes.client.openapi.models.V1ObjectMeta().namespace("blog").name("elsewhere")));
		await().until(() -> pods.lastSyncResourceVersion().equals(this.api.resourceVersion()));
		assertThat(this.recorder.delivered()).isEmpty();
		assertThat(pods.status().watch().lastEventAt()).isNotNull();
	}

	@Test
	void listIsReadInPages() throws InterruptedException {
		this.informers.close();
		this.informers = overTheNetwork((builder) -> builder.listMode(ListMode.PAGED).pageSize(4));
		for (int i = 0; i < 10; i++) {
			create("p" + i);
		}
		startPods();
		assertThat(this.recorder.delivered()).hasSize(10).doesNotHaveDuplicates();
		List<RecordedRequest> pages = lists();
		assertThat(pages.stream().map((page) -> page.parameter("limit")).collect(Collectors.toSet()))
			.containsExactly("4");
		pages.stream()
			.skip(1)
			.forEach((page) -> assertThat(page.query()).containsKey("continue").doesNotContainKey("resourceVersion"));
	}

	@Test
	void blockedHandlerHurtsNeitherTheCacheNorAnotherHandler() throws InterruptedException {
		CountDownLatch gate = new CountDownLatch(1);
		CountDownLatch entered = new CountDownLatch(1);
		Informer<V1Pod> pods = startPods();
		pods.addHandler((ResourceEvent<V1Pod> event) -> {
			entered.countDown();
			gate.await();
		}, HandlerOptions.defaults().withDrainTimeout(Duration.ZERO));
		for (int i = 0; i < 50; i++) {
			create("p" + i);
		}
		assertThat(entered.await(30, TimeUnit.SECONDS)).isTrue();
		await().untilAsserted(() -> assertThat(this.recorder.delivered()).hasSize(50));
		assertThat(pods.snapshot().size()).isEqualTo(50);
		gate.countDown();
	}

	/** Requests for full states; the question for the version alone is none. */
	private List<RecordedRequest> lists() {
		return this.api.requests().stream().filter(InformerFaultTests::isFullState).toList();
	}

	private List<RecordedRequest> probes() {
		return this.api.requests().stream().filter((request) -> request.isList() && !isFullState(request)).toList();
	}

	private static boolean isFullState(RecordedRequest request) {
		return (request.isList() && !"1".equals(request.parameter("limit")))
				|| request.query().containsKey("sendInitialEvents");
	}

	private List<RecordedRequest> watches() {
		return this.api.requests().stream().filter((request) -> request.isWatch() && !isFullState(request)).toList();
	}

	private Informers overTheNetwork(UnaryOperator<Informers.Builder> settings) {
		return informers(client("http://127.0.0.1:" + this.network.port(), this.protocol, this.encoding),
				(builder) -> settings.apply(builder.listMode(this.mode)));
	}

	private Informer<V1Pod> startPods() throws InterruptedException {
		Informer<V1Pod> pods = this.informers.informer(V1Pod.class);
		HandlerRegistration registration = pods.addHandler(this.recorder, HandlerOptions.defaults().withId("recorder"));
		this.informers.start();
		assertThat(registration.awaitSync(LONG)).isTrue();
		return pods;
	}

	private void create(String name) {
		this.api.resources(V1Pod.class).create(pod("blog", name));
	}

	@KubernetesResource(group = "example.com", version = "v1", plural = "widgets")
	static class Widget extends V1Pod {

	}

}
