package dev.kubeinformer;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1Pod;
import okhttp3.Protocol;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import dev.kubeinformer.informer.Informer;
import dev.kubeinformer.test.ScriptedReply;
import dev.kubeinformer.types.ListMode;
import dev.kubeinformer.types.WireEncoding;

import static dev.kubeinformer.EngineTestSupport.await;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Objects that a later full state does not decode, in both encodings and both ways to
 * request it. An object listed in its cached version is malformed here, so that it would
 * be quarantined if it were decoded.
 */
@ParameterizedClass
@MethodSource("ways")
class UnchangedScenarioTests {

	private final ScriptedPods api;

	private final ListMode mode;

	UnchangedScenarioTests(ListMode mode, WireEncoding encoding) {
		this.mode = mode;
		this.api = new ScriptedPods(mode, Protocol.HTTP_1_1, encoding);
	}

	static Stream<Arguments> ways() {
		return Stream.of(Arguments.of(ListMode.AUTO, WireEncoding.JSON),
				Arguments.of(ListMode.AUTO, WireEncoding.PROTOBUF), Arguments.of(ListMode.PAGED, WireEncoding.JSON),
				Arguments.of(ListMode.PAGED, WireEncoding.PROTOBUF));
	}

	@AfterEach
	void stop() {
		this.api.close();
	}

	@Test
	void onlyWhatHasChangedIsDecoded() throws InterruptedException {
		ScriptedReply watch = this.api.state("41", "a@1", "b@2", "c@3", "d@4", "e@5");
		this.api.state("50", "a!@1", "b@42", "c/2@43", "e!@5", "f@44");
		Informer<V1Pod> pods = this.api.startAndSync();
		List<V1Pod> before = pods.lister().list();
		this.api.recorder().clear();
		watch.error(410, "too old");
		await().until(() -> pods.lastSyncResourceVersion().equals("50"));
		await().untilAsserted(() -> assertThat(this.api.recorder().delivered()).hasSize(5));
		assertThat(this.api.recorder().delivered().subList(0, 2)).containsExactlyInAnyOrder("-c?", "-d?");
		assertThat(this.api.recorder().delivered().subList(2, 5)).containsExactlyInAnyOrder("~b", "+c", "+f");
		assertThat(pods.status().cache().quarantined()).isZero();
		assertThat(pods.snapshot().keys()).hasSize(5);
		assertThat(kept(pods, before)).containsExactlyInAnyOrder("a", "e");
		assertThat(pods.lister().get("blog/b").getMetadata().getResourceVersion()).isEqualTo("42");
		assertThat(pods.lister().get("blog/c").getMetadata().getUid()).isEqualTo("c/2");
	}

	@Test
	void fullStateThatBreaksOffProvesNothing() throws InterruptedException {
		ScriptedReply watch = this.api.state("41", "a@1", "b@2");
		if (this.mode == ListMode.PAGED) {
			this.api.list((reply) -> reply.json(200, ScriptedPods.podList("50", "more", "a!@1")));
			this.api.list((reply) -> reply.reset());
		}
		else {
			this.api.stream((reply) -> ScriptedPods.initialEvents(reply, "a!@1").reset());
		}
		this.api.state("51", "b!@2");
		Informer<V1Pod> pods = this.api.startAndSync();
		watch.error(410, "too old");
		this.api.awaitDelivered("+a", "+b", "-a?");
		assertThat(pods.snapshot().keys()).containsExactly("blog/b");
		assertThat(pods.status().cache().quarantined()).isZero();
	}

	@Test
	void allPagesAreOneFullState() throws InterruptedException {
		Assumptions.assumeTrue(this.mode == ListMode.PAGED);
		ScriptedReply watch = this.api.state("41", "a@1", "b@2", "c@3");
		this.api.list((reply) -> reply.json(200, ScriptedPods.podList("50", "more", "a!@1")));
		this.api.list((reply) -> reply.json(200, ScriptedPods.podList("50", "", "c!@3", "d@49")));
		this.api.watch();
		Informer<V1Pod> pods = this.api.startAndSync();
		this.api.recorder().clear();
		watch.error(410, "too old");
		this.api.awaitDelivered("-b?", "+d");
		assertThat(pods.status().cache().quarantined()).isZero();
		assertThat(pods.snapshot().keys()).containsExactlyInAnyOrder("blog/a", "blog/c", "blog/d");
	}

	@Test
	void changesAmongTheInitialEventsCount() throws InterruptedException {
		Assumptions.assumeTrue(this.mode == ListMode.AUTO);
		ScriptedReply watch = this.api.state("41", "a@1", "b@2", "c@3", "d@4");
		this.api.stream((reply) -> ScriptedPods.initialEvents(reply, "a!@1", "b!@2", "c!@3", "d!@4")
			.event("DELETED", ScriptedPods.pod("a@45"))
			.event("MODIFIED", ScriptedPods.pod("b@46"))
			.event("DELETED", ScriptedPods.pod("c@47"))
			.event("ADDED", ScriptedPods.pod("c/2@48"))
			.initialEventsEnd("50"));
		Informer<V1Pod> pods = this.api.startAndSync();
		List<V1Pod> before = pods.lister().list();
		this.api.recorder().clear();
		watch.error(410, "too old");
		await().untilAsserted(() -> assertThat(this.api.recorder().delivered()).hasSize(4));
		assertThat(this.api.recorder().delivered().subList(0, 2)).containsExactlyInAnyOrder("-a?", "-c?");
		assertThat(this.api.recorder().delivered().subList(2, 4)).containsExactlyInAnyOrder("~b", "+c");
		assertThat(kept(pods, before)).containsExactly("d");
		assertThat(pods.status().cache().quarantined()).isZero();
	}

	@Test
	void changeAmongTheInitialEventsThatATransformDropsRemovesTheObject() throws InterruptedException {
		Assumptions.assumeTrue(this.mode == ListMode.AUTO);
		ScriptedReply watch = this.api.state("41", "a@1", "b@2");
		this.api.stream((reply) -> ScriptedPods.initialEvents(reply, "a!@1", "b!@2")
			.event("MODIFIED", ScriptedPods.pod("b@46"))
			.initialEventsEnd("50"));
		Informer<V1Pod> pods = this.api.startAndSyncTransformed(UnchangedScenarioTests::dropVersion46);
		this.api.recorder().clear();
		watch.error(410, "too old");
		this.api.awaitDelivered("-b?");
		assertThat(pods.snapshot().keys()).containsExactly("blog/a");
	}

	@Test
	void stateThatMayBeOlderIsDecodedAsAWhole() throws InterruptedException {
		ScriptedReply watch = this.api.state("41", "a@1", "b@2");
		this.api.fullState((reply) -> reply.json(410,
				"{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"status\":\"Failure\",\"reason\":\"Expired\",\"code\":410}"));
		this.api.state("39", "a!@1", "b@2");
		Informer<V1Pod> pods = this.api.startAndSync();
		watch.error(410, "too old");
		await().until(() -> pods.lastSyncResourceVersion().equals("39"));
		assertThat(pods.status().cache().quarantined()).isOne();
		this.api.awaitAsked("FULL", "FULL 41", "FULL");
	}

	@Test
	void verificationDecodesEverything() throws InterruptedException {
		ScriptedReply watch = this.api.state("41", "a@1", "b@2");
		this.api.state("44", "a!@1", "b@2");
		Informer<V1Pod> pods = this.api.startAndSync((builder) -> builder.verifyEvery(Duration.ofNanos(1)));
		watch.end();
		await().until(() -> pods.lastSyncResourceVersion().equals("44"));
		assertThat(pods.status().cache().quarantined()).isOne();
	}

	private static @Nullable KubernetesObject dropVersion46(KubernetesObject object) {
		return "46".equals(object.getMetadata().getResourceVersion()) ? null : object;
	}

	private static List<String> kept(Informer<V1Pod> pods, List<V1Pod> before) {
		return before.stream()
			.filter((each) -> pods.lister().get("blog/" + each.getMetadata().getName()) == each)
			.map((each) -> each.getMetadata().getName())
			.toList();
	}

}
