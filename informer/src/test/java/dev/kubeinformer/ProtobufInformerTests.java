package dev.kubeinformer;

import java.util.List;
import java.util.Map;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.kubernetes.client.openapi.models.V1Container;
import io.kubernetes.client.openapi.models.V1Pod;
import okhttp3.Protocol;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

import dev.kubeinformer.informer.Informer;
import dev.kubeinformer.informer.InformerSpec;
import dev.kubeinformer.test.RecordedRequest;
import dev.kubeinformer.test.ScriptedReply;
import dev.kubeinformer.types.InformerState;
import dev.kubeinformer.types.ListMode;
import dev.kubeinformer.types.WireEncoding;

import static dev.kubeinformer.EngineTestSupport.await;
import static dev.kubeinformer.EngineTestSupport.withPatientSlots;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Use of protobuf by an informer, and the cases in which it requests another encoding.
 * The scenarios of the protocol also run over protobuf.
 *
 * @see InEveryWay
 */
class ProtobufInformerTests {

	private static final String PROTOBUF = "application/vnd.kubernetes.protobuf";

	private final ListAppender<ILoggingEvent> log = new ListAppender<>();

	private ScriptedPods api = new ScriptedPods(ListMode.PAGED, Protocol.HTTP_1_1, WireEncoding.PROTOBUF);

	@BeforeEach
	void listen() {
		this.log.start();
		logger().setLevel(Level.INFO);
		logger().addAppender(this.log);
	}

	@AfterEach
	void stop() {
		logger().detachAppender(this.log);
		logger().setLevel(null);
		this.api.close();
	}

	@Test
	void encodingIsShown() throws InterruptedException {
		this.api.state("41", "a@1");
		Informer<V1Pod> pods = this.api.startAndSync();
		assertThat(pods.status().encoding()).isEqualTo(WireEncoding.PROTOBUF);
		V1Pod pod = pods.lister().get("blog/a");
		assertThat(pod.getKind()).isEqualTo("Pod");
		assertThat(pod.getApiVersion()).isEqualTo("v1");
		assertThat(pod.getSpec().getContainers()).extracting(V1Container::getName).containsExactly("app");
		assertThat(fallbacks()).isEmpty();
	}

	@Test
	void protobufCanBeSwitchedOff() throws InterruptedException {
		restart(ListMode.PAGED, WireEncoding.JSON);
		this.api.state("41", "a@1");
		this.api.startAndSync((builder) -> builder.protobuf(false));
		await().untilAsserted(this.api.server()::verify);
		assertThat(this.api.requests()).extracting((request) -> request.header("Accept"))
			.containsExactly("application/json;drop=metadata.managedFields,application/json",
					"application/json;stream=watch;drop=metadata.managedFields,application/json");
	}

	@Test
	void framesThatAreMalformedAgainAndAgainCostAListAndThenEverythingIsJson() throws InterruptedException {
		ScriptedReply first = this.api.state("41", "a@1");
		this.api.watch((reply) -> reply.line("garbage"));
		this.api.watch((reply) -> reply.line("garbage"));
		ScriptedReply second = this.api.state("50", "a@1", "c@45");
		ScriptedReply third = this.api.watch();
		Informer<V1Pod> pods = this.api.startAndSync();
		first.line("garbage");
		this.api.awaitDelivered("+a", "+c");
		assertThat(pods.status().encoding()).isEqualTo(WireEncoding.JSON);
		second.event("ADDED", ScriptedPods.pod("d@51")).end();
		third.event("ADDED", ScriptedPods.pod("e@52"));
		this.api.awaitDelivered("+a", "+c", "+d", "+e");
		assertThat(prefersProtobuf()).containsExactly(true, true, true, true, false, false, false);
		assertThat(fallbacks()).singleElement()
			.asString()
			.isEqualTo("Informer 'pods': protobuf responses were malformed repeatedly; a proxy may be broken; "
					+ "requesting JSON from now on");
	}

	@ParameterizedTest
	@EnumSource(value = ListMode.class, names = { "AUTO", "PAGED" })
	void listsThatAreMalformedAgainAndAgainAreAskedForAsJson(ListMode mode) throws InterruptedException {
		restart(mode, WireEncoding.PROTOBUF);
		for (int i = 0; i < 3; i++) {
			this.api.fullState((reply) -> reply.line("garbage").end());
		}
		this.api.list((reply) -> reply.json(200, ScriptedPods.podList("41", "", "a@1")));
		this.api.watch();
		Informer<V1Pod> pods = this.api.startAndSync();
		assertThat(pods.status().encoding()).isEqualTo(WireEncoding.JSON);
		await().until(() -> this.api.requests().size() == 5);
		assertThat(prefersProtobuf()).containsExactly(true, true, true, false, false);
		assertThat(fallbacks()).hasSize(1);
	}

	@Test
	void serverThatRefusesProtobufIsAskedOnceForAllNamespaces() throws InterruptedException {
		this.api.server().onEvery(ProtobufInformerTests::prefersProtobuf, (reply) -> reply.status(406));
		this.api.server()
			.onEvery(ScriptedPods::isListOrPage, (reply) -> reply.json(200, ScriptedPods.podList("41", "")));
		this.api.everyWatch(ScriptedReply::hold);
		Informer<V1Pod> pods = this.api.start(EngineTestSupport.client(this.api.server().url()),
				InformerSpec.of(V1Pod.class).withNamespaces("blog", "shop"),
				(builder) -> builder.concurrentSyncs(1).timings(withPatientSlots()));
		this.api.awaitSync();
		await().until(() -> pods.state() == InformerState.LIVE);
		assertThat(prefersProtobuf().stream().filter((prefers) -> prefers)).hasSize(1);
		assertThat(pods.status().encoding()).isEqualTo(WireEncoding.JSON);
		assertThat(fallbacks()).singleElement().asString().contains("HTTP 406");
		assertThat(pods.status().lastError()).isNull();
	}

	@Test
	void informerThatIsStartedAgainTriesProtobufAgain() throws InterruptedException {
		this.api.fullState((reply) -> reply.status(406));
		this.api.state("41", "a@1");
		Informer<V1Pod> pods = this.api.startAndSync();
		assertThat(pods.status().encoding()).isEqualTo(WireEncoding.JSON);
		await().untilAsserted(this.api.server()::verify);
		this.api.informers().stop();
		this.api.state("42", "a@1");
		this.api.informers().start();
		await().until(() -> pods.state() == InformerState.LIVE);
		assertThat(pods.status().encoding()).isEqualTo(WireEncoding.PROTOBUF);
	}

	@Test
	void equalPartsAreOneInstanceAndACopySharesNothing() throws InterruptedException {
		this.api.state("41", "a@1", "b@2");
		Informer<V1Pod> pods = this.api.startAndSync();
		V1Pod one = pods.lister().get("blog/a");
		V1Pod other = pods.lister().get("blog/b");
		assertThat(one.getSpec()).isEqualTo(other.getSpec());
		assertThat(container(one)).isSameAs(container(other));
		V1Pod copy = Informers.copyOf(one);
		assertThat(copy).isEqualTo(one);
		assertThat(container(copy)).isNotSameAs(container(other));
		container(copy).setImage("app:2");
		copy.getSpec().getContainers().add(new V1Container().name("more"));
		copy.getMetadata().putLabelsItem("k", "v");
		assertThat(container(one).getImage()).isNull();
		assertThat(container(other).getImage()).isNull();
		assertThat(one.getSpec().getContainers()).hasSize(1);
		assertThatExceptionOfType(UnsupportedOperationException.class)
			.isThrownBy(() -> one.getSpec().getContainers().clear());
	}

	@Test
	void equalPartsAreInstancesOfTheirOwnWhereTheyAreNotShared() throws InterruptedException {
		this.api.state("41", "a@1", "b@2");
		Informer<V1Pod> pods = this.api.startAndSync((builder) -> builder.shareEqualParts((type) -> false));
		assertThat(pods.status().encoding()).isEqualTo(WireEncoding.PROTOBUF);
		V1Pod one = pods.lister().get("blog/a");
		V1Pod other = pods.lister().get("blog/b");
		assertThat(container(one)).isEqualTo(container(other)).isNotSameAs(container(other));
	}

	@Test
	void whatUserCodeHasChangedIsHealedByARestart() throws InterruptedException {
		this.api.state("41", "a@1", "b@2");
		Informer<V1Pod> pods = this.api.startAndSync();
		await().untilAsserted(this.api.server()::verify);
		container(pods.lister().get("blog/a")).setImage("changed");
		assertThat(container(pods.lister().get("blog/b")).getImage()).isEqualTo("changed");
		this.api.informers().stop();
		this.api.state("42", "a@1", "b@2").event("ADDED", ScriptedPods.pod("c@43"));
		this.api.informers().start();
		await().until(() -> pods.lister().get("blog/c") != null);
		assertThat(pods.lister().list()).hasSize(3).allSatisfy((pod) -> assertThat(container(pod).getImage()).isNull());
	}

	@Test
	void transformGetsPrivateObjectsThatCanBeModified() throws InterruptedException {
		this.api.state("41", "a@1", "b@2");
		Informer<V1Pod> pods = this.api.startAndSync();
		await().untilAsserted(this.api.server()::verify);
		this.api.informers().stop();
		pods.setTransform((object) -> {
			V1Pod pod = (V1Pod) object;
			container(pod).setImage(pod.getMetadata().getName());
			pod.getSpec().getContainers().add(new V1Container().name("more"));
			return pod;
		});
		this.api.state("42", "a@1", "b@2");
		this.api.informers().start();
		await().until(() -> pods.lastSyncResourceVersion().equals("42"));
		assertThat(pods.status().encoding()).isEqualTo(WireEncoding.PROTOBUF);
		for (String name : List.of("a", "b")) {
			V1Pod pod = pods.lister().get("blog/" + name);
			assertThat(container(pod).getImage()).isEqualTo(name);
			assertThat(pod.getSpec().getContainers()).hasSize(2);
			assertThatExceptionOfType(UnsupportedOperationException.class)
				.isThrownBy(() -> pod.getSpec().getContainers().clear());
		}
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void managedFieldsAreKeptOnlyIfTheyAreAskedFor(boolean kept) throws InterruptedException {
		String pod = ScriptedPods.pod("a@1", Map.of())
			.replace("\"labels\":{}", "\"managedFields\":[{\"manager\":\"kubelet\"}]");
		this.api.list((reply) -> reply.json(200,
				"{\"kind\":\"PodList\",\"metadata\":{\"resourceVersion\":\"41\"},\"items\":[%s]}".formatted(pod)));
		this.api.watch();
		Informer<V1Pod> pods = this.api.startAndSync((builder) -> builder.keepManagedFields((type) -> kept));
		assertThat(pods.status().encoding()).isEqualTo(WireEncoding.PROTOBUF);
		assertThat(pods.lister().get("blog/a").getMetadata().getManagedFields()).hasSize(kept ? 1 : 0);
		assertThat(this.api.requests().get(0).header("Accept").contains("drop=metadata.managedFields"))
			.isEqualTo(!kept);
	}

	private void restart(ListMode mode, WireEncoding encoding) {
		this.api.close();
		this.api = new ScriptedPods(mode, Protocol.HTTP_1_1, encoding);
	}

	private static V1Container container(V1Pod pod) {
		return pod.getSpec().getContainers().get(0);
	}

	private List<Boolean> prefersProtobuf() {
		return this.api.requests().stream().map(ProtobufInformerTests::prefersProtobuf).toList();
	}

	private static boolean prefersProtobuf(RecordedRequest request) {
		return String.valueOf(request.header("Accept")).startsWith(PROTOBUF);
	}

	private List<String> fallbacks() {
		return this.log.list.stream()
			.map(ILoggingEvent::getFormattedMessage)
			.filter((message) -> message.contains("requesting JSON"))
			.toList();
	}

	private static Logger logger() {
		return (Logger) LoggerFactory.getLogger(Informer.class);
	}

}
