package dev.kubeinformer;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;

import io.kubernetes.client.openapi.models.V1Pod;
import okhttp3.Protocol;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import dev.kubeinformer.handler.HandlerOptions;
import dev.kubeinformer.handler.ResourceEvent;
import dev.kubeinformer.informer.Informer;
import dev.kubeinformer.test.ScriptedReply;
import dev.kubeinformer.types.ListMode;
import dev.kubeinformer.types.WireEncoding;

import static dev.kubeinformer.EngineTestSupport.FAST;
import static dev.kubeinformer.EngineTestSupport.await;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Effect of later full states on the cache, and the choice among them. The first is at
 * version 41, and its watch ends with an expired version.
 */
@InEveryWay
class RelistScenarioTests {

	private static final String STATUS = "{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"status\":\"Failure\",\"message\":\"%s\",\"reason\":\"%s\",\"details\":{\"causes\":[%s]},\"code\":%d}";

	private final ScriptedPods api;

	private final ListMode mode;

	RelistScenarioTests(ListMode mode, Protocol protocol, WireEncoding encoding) {
		this.mode = mode;
		this.api = new ScriptedPods(mode, protocol, encoding);
	}

	@AfterEach
	void stop() {
		this.api.close();
	}

	@Test
	void missedDeletionsAreDeliveredFirstAndTheStoreIsNewAlready() throws InterruptedException {
		ScriptedReply watch = this.api.state("41", "a@1", "b@2", "c@3", "d@4");
		this.api.state("50", "e@44", "b@42", "a@1", "d/2@43");
		Informer<V1Pod> pods = this.api.startAndSync();
		V1Pod unchanged = pods.lister().get("blog/a");
		List<Set<String>> seen = new CopyOnWriteArrayList<>();
		pods.addHandler((ResourceEvent<V1Pod> event) -> seen.add(Set.copyOf(pods.snapshot().keys())),
				HandlerOptions.defaults());
		await().until(() -> seen.size() == 4);
		seen.clear();
		this.api.recorder().clear();
		watch.error(410, "too old");
		await().until(() -> this.api.recorder().delivered().size() == 5);
		assertThat(this.api.recorder().delivered().subList(0, 2)).containsExactlyInAnyOrder("-c?", "-d?");
		assertThat(this.api.recorder().delivered().subList(2, 5)).containsExactlyInAnyOrder("+e", "~b", "+d");
		await().until(() -> seen.size() == 5);
		assertThat(seen).containsOnly(Set.of("blog/a", "blog/b", "blog/d", "blog/e"));
		assertThat(pods.lister().get("blog/a")).isSameAs(unchanged);
		ResourceEvent<V1Pod> deleted = this.api.recorder().events().get(0);
		assertThat(deleted.finalStateUnknown()).isTrue();
		assertThat(deleted.object().getMetadata().getResourceVersion()).isIn("3", "4");
	}

	@ParameterizedTest
	@CsvSource({ "a@45, a/2@52", "a/2@52, a@45" })
	void objectThatIsRecreatedBetweenTwoLivePagesIsTheNewOne(String first, String second) throws InterruptedException {
		ScriptedReply watch = this.api.state("41", "b@1");
		Informer<V1Pod> pods = this.api.startAndSync();
		this.api.fullState((reply) -> {
			if (this.mode == ListMode.PAGED) {
				reply.json(200, ScriptedPods.podList("50", "c1", first));
			}
			else {
				ScriptedPods.initialEvents(reply, first, "b@1", second).initialEventsEnd("50");
				replay(reply);
			}
		});
		if (this.mode == ListMode.PAGED) {
			this.api.list((reply) -> reply.json(200, ScriptedPods.podList("53", "", "b@1", second)));
			this.api.watch((reply) -> replay(reply.hold()));
		}
		watch.error(410, "too old");
		this.api.awaitDelivered("+b", "+a", "+c");
		assertThat(pods.lister().get("blog/a").getMetadata().getUid()).isEqualTo("a/2");
	}

	private static void replay(ScriptedReply watch) {
		watch.event("MODIFIED", ScriptedPods.pod("a@50"))
			.event("DELETED", ScriptedPods.pod("a@51"))
			.event("ADDED", ScriptedPods.pod("a/2@52"))
			.event("ADDED", ScriptedPods.pod("c@53"));
	}

	@Test
	void predecessorOnALaterPageIsNotTakenForWhatIsCached() throws InterruptedException {
		ScriptedReply watch = this.api.state("41", "a/2@40", "b@1");
		Informer<V1Pod> pods = this.api.startAndSync();
		if (this.mode == ListMode.PAGED) {
			this.api.list((reply) -> reply.json(200, ScriptedPods.podList("50", "c1", "a/2@40", "c@49")));
			this.api.list((reply) -> reply.json(200, ScriptedPods.podList("50", "", "a@30", "b@1")));
			this.api.watch();
		}
		else {
			this.api.stream((reply) -> ScriptedPods.initialEvents(reply, "a/2@40", "c@49", "a@30")
				.event("DELETED", ScriptedPods.pod("a@31"))
				.event("ADDED", ScriptedPods.pod("b@1"))
				.initialEventsEnd("50"));
		}
		watch.error(410, "too old");
		await().until(() -> pods.snapshot().size() == 3);
		assertThat(this.api.recorder().delivered()).doesNotContain("-a?", "-a");
		assertThat(pods.lister().get("blog/a").getMetadata().getUid()).isEqualTo("a/2");
	}

	@Test
	void errorThatEndsAWatchIsNoSignOfLife() throws InterruptedException {
		ScriptedReply watch = this.api.state("41", "a@1");
		this.api.state("50", "a@1", "b@42");
		Informer<V1Pod> pods = this.api.startAndSync();
		watch.error(410, "too old");
		await().until(() -> this.api.recorder().delivered().contains("+b"));
		assertThat(pods.status().watch().lastEventAt()).isNull();
	}

	@Test
	void unchangedStateIsDeliveredToNobody() throws InterruptedException {
		ScriptedReply watch = this.api.state("41", "a@1", "b@2");
		ScriptedReply second = this.api.state("50", "b@2", "a@1");
		Informer<V1Pod> pods = this.api.startAndSync();
		List<V1Pod> before = pods.lister().list();
		watch.error(410, "too old");
		await().until(() -> pods.lastSyncResourceVersion().equals("50"));
		second.event("DELETED", ScriptedPods.pod("b@51"));
		await().untilAsserted(() -> assertThat(this.api.recorder().delivered()).hasSize(3).endsWith("-b"));
		assertThat(before).contains(pods.lister().get("blog/a"));
		assertThat(before.stream().anyMatch((each) -> each == pods.lister().get("blog/a"))).isTrue();
	}

	@Test
	void stateOlderThanWhatWasSeenIsDiscardedAndThenTakenIfTheServerInsists() throws InterruptedException {
		ScriptedReply watch = this.api.state("41", "a@1", "b@40");
		older("38", "a@1", "stale@30");
		ScriptedReply taken = this.api.state("39", "a@1", "b/2@33", "c@35");
		this.api.watch();
		Informer<V1Pod> pods = this.api.startAndSync();
		watch.bookmark("45").error(410, "too old");
		await().untilAsserted(() -> assertThat(pods.lastSyncResourceVersion()).isEqualTo("39"));
		this.api.awaitAsked("FULL", "FULL 45", "FULL");
		await().untilAsserted(() -> assertThat(this.api.recorder().delivered()).hasSize(5).endsWith("-b?", "+b", "+c"));
		assertThat(this.api.recorder().delivered()).doesNotContain("+stale");
		taken.event("MODIFIED", ScriptedPods.pod("a@40")).end();
		this.api.awaitAsked("FULL", "FULL 45", "FULL", "WATCH 40");
		assertThat(pods.lister().get("blog/a").getMetadata().getResourceVersion()).isEqualTo("40");
	}

	@Test
	void versionsOfAnObjectBeginAnewWithAStateThatIsOlder() throws InterruptedException {
		ScriptedReply watch = this.api.state("41", "a@40");
		older("38");
		ScriptedReply taken = this.api.state("38", "a@30");
		Informer<V1Pod> pods = this.api.startAndSync();
		watch.error(410, "too old");
		this.api.awaitDelivered("+a", "~a");
		taken.event("MODIFIED", ScriptedPods.pod("a@39"));
		this.api.awaitDelivered("+a", "~a", "~a");
		assertThat(pods.lister().get("blog/a").getMetadata().getResourceVersion()).isEqualTo("39");
		assertThat(pods.lastSyncResourceVersion()).isEqualTo("39");
	}

	@ParameterizedTest
	@CsvSource({
			// message, reason, cause
			"the version is ahead, Timeout, '{\"reason\":\"ResourceVersionTooLarge\",\"message\":\"Too large resource version\"}', 504",
			"'Timeout: Too large resource version: 45, current: 41', Timeout, '{\"message\":\"Too large resource version\"}', 504",
			"'Too large resource version: 45, current: 41', '', '', 500" })
	void versionThatIsTooLargeIsFollowedByAFreshStateAtOnce(String message, String reason, String cause, int code)
			throws InterruptedException {
		ScriptedReply watch = this.api.state("41", "a@1");
		String status = STATUS.formatted(message, reason, cause, code);
		if (this.mode == ListMode.PAGED) {
			this.api.list((reply) -> reply.json(code, status));
		}
		else {
			this.api.stream((reply) -> reply.event("ERROR", status));
		}
		this.api.state("43", "a@1", "b@42");
		this.api.startAndSync();
		watch.error(410, "too old");
		this.api.awaitDelivered("+a", "+b");
		assertThat(this.api.asked()).containsExactly("FULL", "FULL 41", "FULL");
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void expiredStateIsFollowedByAFreshOneAndFromThenOnByWaits(boolean byEvent) throws InterruptedException {
		ScriptedReply watch = this.api.state("41", "a@1");
		for (int i = 0; i < 4; i++) {
			if (byEvent && this.mode == ListMode.AUTO) {
				this.api.stream((reply) -> reply.error(410, "too old"));
			}
			else {
				this.api.fullState((reply) -> reply.status(410));
			}
		}
		this.api.state("43", "a@1", "b@42");
		this.api.startAndSync();
		watch.bookmark("42").error(410, "too old");
		this.api.awaitDelivered("+a", "+b");
		this.api.awaitAsked("FULL", "FULL 42", "FULL", "FULL", "FULL", "FULL");
		List<Duration> gaps = ScriptedPods
			.gaps(this.api.requests().stream().filter(ScriptedPods::isFullState).toList());
		// The first wait is anywhere below the base.
		assertThat(gaps.get(3)).isGreaterThan(FAST.backoffBase().minusMillis(1));
		assertThat(gaps.get(4)).isGreaterThan(FAST.backoffBase().multipliedBy(2).minusMillis(1));
	}

	@ParameterizedTest
	@ValueSource(ints = { 400, 422, 500 })
	void versionThatTheServerDoesNotUnderstandIsFollowedByAFreshStateInTheSameWay(int code)
			throws InterruptedException {
		ScriptedReply watch = this.api.state("41", "a@1");
		this.api.fullState((reply) -> reply.json(code, STATUS.formatted("invalid resource version 41", "", "", code)));
		ScriptedReply second = this.api.state("7", "a@1", "b@2");
		Informer<V1Pod> pods = this.api.startAndSync();
		watch.error(410, "too old");
		this.api.awaitDelivered("+a", "+b");
		await().until(() -> pods.lastSyncResourceVersion().equals("7"));
		assertThat(this.api.asked()).containsExactly("FULL", "FULL 41", "FULL");
		assertThat(this.api.ways().stream().distinct()).hasSize(1);
		this.api.state("8", "a@1", "b@2", "c@8");
		second.error(410, "too old");
		this.api.awaitDelivered("+a", "+b", "+c");
		assertThat(this.api.ways().stream().distinct()).hasSize(1);
	}

	@Test
	void serverThatWasRestoredFromABackupIsFoundByItsVersionAndListedAfresh() throws InterruptedException {
		ScriptedReply watch = this.api.state("41", "a@40", "b@2");
		this.api.watch((reply) -> reply.status(503));
		this.api.probe("30");
		ScriptedReply restored = this.api.state("30", "a@20", "b@2", "c@3");
		Informer<V1Pod> pods = this.api.startAndSync();
		this.api.recorder().clear();
		watch.end();
		await().untilAsserted(() -> assertThat(this.api.recorder().delivered()).containsExactlyInAnyOrder("~a", "+c"));
		this.api.awaitAsked("FULL", "WATCH 41", "PROBE", "FULL");
		restored.event("DELETED", ScriptedPods.pod("b@31"));
		await().untilAsserted(() -> assertThat(this.api.recorder().delivered()).endsWith("-b"));
		assertThat(pods.lastSyncResourceVersion()).isEqualTo("31");
	}

	@Test
	void silentServerThatWasRestoredFromABackupIsFoundByItsVersion() throws InterruptedException {
		this.api.state("41", "a@40");
		this.api.watch();
		this.api.probe("30");
		this.api.state("30", "b@2");
		this.api.everyWatch(ScriptedReply::hold);
		this.api.everyProbe("30");
		Informer<V1Pod> pods = this.api.startAndSync((builder) -> builder.idleTimeout(Duration.ofMillis(800)));
		this.api.awaitDelivered("+a", "-a?", "+b");
		assertThat(this.api.asked()).startsWith("FULL", "WATCH 41", "PROBE", "FULL");
		assertThat(pods.lastSyncResourceVersion()).isEqualTo("30");
	}

	@Test
	void serverWithoutVersionsIsListedOnEachReconnect() throws InterruptedException {
		ScriptedReply first = this.api.state("", "a@1", "b@2");
		ScriptedReply second = this.api.state("", "a@1", "c@3");
		this.api.state("", "a@1");
		Informer<V1Pod> pods = this.api.startAndSync();
		this.api.recorder().clear();
		first.event("ADDED", ScriptedPods.pod("a@1")).event("ADDED", ScriptedPods.pod("b@2")).end();
		this.api.awaitDelivered("-b?", "+c");
		second.event("ADDED", ScriptedPods.pod("c@3")).reset();
		this.api.awaitDelivered("-b?", "+c", "-c?");
		assertThat(this.api.asked()).containsExactly("FULL", "FULL", "FULL");
		assertThat(pods.status().lists().total()).isEqualTo(3);
	}

	/** A full state that is asked for and not taken. */
	private void older(String version, String... pods) {
		if (this.mode == ListMode.PAGED) {
			this.api.list((reply) -> reply.json(200, ScriptedPods.podList(version, "", pods)));
		}
		else {
			this.api.stream((reply) -> ScriptedPods.initialEvents(reply, pods).initialEventsEnd(version));
		}
	}

}
