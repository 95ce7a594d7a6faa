package dev.kubeinformer;

import java.time.Duration;
import java.util.Map;
import java.util.Objects;

import io.kubernetes.client.openapi.models.V1Pod;
import okhttp3.Protocol;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import dev.kubeinformer.informer.Informer;
import dev.kubeinformer.test.RecordedRequest;
import dev.kubeinformer.test.ScriptedReply;
import dev.kubeinformer.types.ListMode;
import dev.kubeinformer.types.WireEncoding;

import static dev.kubeinformer.EngineTestSupport.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Damage that nothing on the wire shows is found by comparing with a full list.
 */
@InEveryWay
class VerificationTests {

	private final ListMode mode;

	private final ScriptedPods api;

	VerificationTests(ListMode mode, Protocol protocol, WireEncoding encoding) {
		this.mode = mode;
		this.api = new ScriptedPods(mode, protocol, encoding);
	}

	@AfterEach
	void stop() {
		this.api.close();
	}

	@Test
	void serverThatHasSilentlyLostWritesIsFoundByTheNextVerification() throws InterruptedException {
		this.api.state("41", "a@1", "b@2", "c@3").delay(Duration.ofSeconds(2)).end();
		// Gone is b, c was written differently under the same version, a is as it was.
		String changed = ScriptedPods.pod("c@3", Map.of("app", "other"));
		if (this.mode == ListMode.PAGED) {
			this.api.list((reply) -> reply.json(200,
					ScriptedPods.podList("44", "", "a@1").replaceFirst("]}$", "," + changed + "]}")));
			this.api.watch();
		}
		else {
			this.api.stream(
					(reply) -> ScriptedPods.initialEvents(reply, "a@1").event("ADDED", changed).initialEventsEnd("44"));
		}
		Informer<?> pods = this.api.start((builder) -> builder.verifyEvery(Duration.ofMillis(200)));
		this.api.awaitDelivered("+a", "+b", "+c", "-b?", "~c");
		assertThat(pods.status().lists().total()).isEqualTo(2);
		assertThat(pods.status().lists().regressions()).isZero();
		RecordedRequest verification = this.api.requests()
			.stream()
			.filter(ScriptedPods::isFullState)
			.reduce((first, second) -> second)
			.orElseThrow();
		assertThat(Objects.requireNonNullElse(verification.parameter("resourceVersion"), "")).isEmpty();
		// A streaming list may take its time, and is a watch.
		assertThat(this.api.requests()).filteredOn(ScriptedPods::isResumedWatch)
			.allSatisfy(
					(watch) -> assertThat(Integer.parseInt(watch.parameter("timeoutSeconds"))).isLessThanOrEqualTo(2));
		assertThat(this.api.requests()).filteredOn(ScriptedPods::isStream)
			.allSatisfy((list) -> assertThat(Integer.parseInt(list.parameter("timeoutSeconds"))).isGreaterThan(200));
	}

	@Test
	void whatUserCodeHasChangedIsHealedAndDoesNotComeBackInLaterObjects() throws InterruptedException {
		ScriptedReply first = this.api.state("41", "a@1", "b@2");
		ScriptedReply second = this.api.state("44", "a@1", "b@2");
		Informer<V1Pod> pods = this.api.startAndSync((builder) -> builder.verifyEvery(Duration.ofNanos(1)));
		V1Pod changed = pods.lister().get("blog/a");
		image(changed, "changed");
		first.end();
		await().until(() -> pods.lastSyncResourceVersion().equals("44"));
		assertThat(pods.lister().get("blog/a")).isNotSameAs(changed);
		// The spec of this one has the same bytes.
		second.event("ADDED", ScriptedPods.pod("c@45"));
		await().until(() -> pods.lister().get("blog/c") != null);
		assertThat(pods.lister().list()).hasSize(3).extracting(VerificationTests::image).containsOnlyNulls();
	}

	private static void image(V1Pod pod, String image) {
		pod.getSpec().getContainers().get(0).setImage(image);
	}

	private static String image(V1Pod pod) {
		return pod.getSpec().getContainers().get(0).getImage();
	}

	@Test
	void verificationThatFailsLeavesTheWatchAsItWas() throws InterruptedException {
		this.api.state("41", "a@1").delay(Duration.ofSeconds(2)).end();
		this.api.fullState((reply) -> reply.status(429));
		this.api.watch((reply) -> reply.event("ADDED", ScriptedPods.pod("b@42")).hold());
		Informer<?> pods = this.api.start((builder) -> builder.verifyEvery(Duration.ofMillis(200)));
		this.api.awaitDelivered("+a", "+b");
		assertThat(this.api.asked()).containsExactly("FULL", "FULL", "WATCH 41");
		assertThat(pods.status().lists().total()).isEqualTo(1);
	}

	@Test
	void listThatIsOlderThanWhatWasSeenIsCounted() throws InterruptedException {
		this.api.state("41", "a@40").error(410, "too old").end();
		this.api.fullState((reply) -> {
			if (this.mode == ListMode.PAGED) {
				reply.json(200, ScriptedPods.podList("30", "", "a@20"));
			}
			else {
				ScriptedPods.initialEvents(reply, "a@20").initialEventsEnd("30").hold();
			}
		});
		this.api.state("31", "a@20");
		Informer<?> pods = this.api.startAndSync();
		this.api.awaitDelivered("+a", "~a");
		// One that was discarded, and one that the server stood by.
		assertThat(pods.status().lists().regressions()).isEqualTo(2);
	}

	@Test
	void negativePeriodIsRefused() {
		assertThatIllegalArgumentException()
			.isThrownBy(() -> Informers.builder(EngineTestSupport.client(this.api.server().url()))
				.verifyEvery(Duration.ofSeconds(-1)))
			.withMessage("Verification period 'PT-1S' must not be negative");
	}

}
