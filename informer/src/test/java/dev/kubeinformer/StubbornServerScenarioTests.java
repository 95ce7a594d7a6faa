package dev.kubeinformer;

import java.time.Duration;
import java.util.List;

import okhttp3.Protocol;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import dev.kubeinformer.test.ScriptedReply;
import dev.kubeinformer.types.ListMode;
import dev.kubeinformer.types.WireEncoding;

import static dev.kubeinformer.EngineTestSupport.FAST;
import static dev.kubeinformer.EngineTestSupport.await;
import static dev.kubeinformer.EngineTestSupport.withEveryWatchShort;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Servers that answer, and yet do not get an informer any further.
 */
@InEveryWay
class StubbornServerScenarioTests {

	private static final String NOT_UNDERSTOOD = "{\"kind\":\"Status\",\"status\":\"Failure\",\"message\":\"resourceVersion: Invalid value: \\\"x\\\": strconv.ParseUint: parsing \\\"x\\\": invalid syntax\",\"code\":500}";

	private final ScriptedPods api;

	StubbornServerScenarioTests(ListMode mode, Protocol protocol, WireEncoding encoding) {
		this.api = new ScriptedPods(mode, protocol, encoding);
	}

	@AfterEach
	void stop() {
		this.api.close();
	}

	@Test
	void versionThatIsTooLargeByTheMessageOfItsCauseIsFollowedByAFreshState() throws InterruptedException {
		ScriptedReply watch = this.api.state("41", "a@1");
		this.api.fullState((reply) -> reply.json(504,
				"{\"kind\":\"Status\",\"message\":\"the request timed out\",\"reason\":\"Timeout\",\"details\":{\"causes\":[{\"message\":\"Too large resource version\"}]},\"code\":504}"));
		this.api.state("43", "a@1", "b@42");
		this.api.startAndSync();
		watch.error(410, "too old");
		this.api.awaitDelivered("+a", "+b");
		assertThat(this.api.asked()).containsExactly("FULL", "FULL 41", "FULL");
	}

	@Test
	void versionThatKubeApiserverDoesNotUnderstandIsFollowedByAFreshState() throws InterruptedException {
		ScriptedReply watch = this.api.state("x", "a@1");
		this.api.fullState((reply) -> reply.json(500, NOT_UNDERSTOOD));
		this.api.state("43", "a@1", "b@42");
		this.api.startAndSync();
		watch.error(410, "too old");
		this.api.awaitDelivered("+a", "+b");
		assertThat(this.api.asked()).containsExactly("FULL", "FULL x", "FULL");
	}

	@Test
	void versionOfAWatchThatKubeApiserverDoesNotUnderstandCostsAFreshState() throws InterruptedException {
		ScriptedReply watch = this.api.state("x", "a@1");
		this.api.watch((reply) -> reply.json(500, NOT_UNDERSTOOD));
		this.api.state("43", "a@1", "b@42");
		this.api.startAndSync();
		watch.end();
		this.api.awaitDelivered("+a", "+b");
		assertThat(this.api.asked()).containsExactly("FULL", "WATCH x", "FULL");
	}

	@Test
	void watchWithoutAVersionThatEndsByAnErrorCostsAList() throws InterruptedException {
		ScriptedReply watch = this.api.state("", "a@1", "b@2");
		this.api.state("", "a@1");
		this.api.everyWatch((reply) -> reply.event("ADDED", ScriptedPods.pod("a@1")));
		this.api.startAndSync();
		watch.error(500, "ill");
		await().untilAsserted(() -> assertThat(this.api.recorder().delivered()).hasSize(3).endsWith("-b?"));
	}

	@Test
	void garbageAfterABookmarkOfTheSameVersionCostsAListTheThirdTime() throws InterruptedException {
		ScriptedReply watch = this.api.state("41", "a@1");
		this.api.state("50", "a@1", "b@45");
		this.api.everyWatch((reply) -> reply.bookmark("41").line("garbage"));
		this.api.startAndSync();
		watch.line("garbage");
		this.api.awaitDelivered("+a", "+b");
		this.api.awaitAsked("FULL", "WATCH 41", "WATCH 41", "FULL 41");
	}

	@Test
	void watchesThatEndAfterABookmarkBecomeNoHotLoop() throws InterruptedException {
		ScriptedReply watch = this.api.state("41", "a@1");
		for (int i = 0; i < 5; i++) {
			this.api.watch((reply) -> reply.bookmark("41").end());
		}
		this.api.watch();
		this.api.startAndSync((builder) -> builder.timings(withEveryWatchShort()));
		watch.end();
		await().until(() -> this.api.asked().size() == 7);
		List<Duration> gaps = ScriptedPods.gaps(this.api.requests());
		assertThat(gaps.get(gaps.size() - 1)).isGreaterThan(FAST.backoffBase());
	}

}
