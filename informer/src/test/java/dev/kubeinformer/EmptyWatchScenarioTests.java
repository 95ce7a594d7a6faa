package dev.kubeinformer;

import java.time.Duration;

import io.kubernetes.client.openapi.models.V1Pod;
import okhttp3.Protocol;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import dev.kubeinformer.informer.Informer;
import dev.kubeinformer.test.ScriptedReply;
import dev.kubeinformer.types.InformerState;
import dev.kubeinformer.types.ListMode;
import dev.kubeinformer.types.ListReason;
import dev.kubeinformer.types.WireEncoding;

import static dev.kubeinformer.EngineTestSupport.await;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Watches that are cut again and again without having brought a byte, as behind a proxy
 * that buffers.
 */
@InEveryWay
class EmptyWatchScenarioTests {

	private final ScriptedPods api;

	private final ListMode mode;

	private final WireEncoding encoding;

	EmptyWatchScenarioTests(ListMode mode, Protocol protocol, WireEncoding encoding) {
		this.mode = mode;
		this.encoding = encoding;
		this.api = new ScriptedPods(mode, protocol, encoding);
	}

	@AfterEach
	void stop() {
		this.api.close();
	}

	@ParameterizedTest
	@EnumSource
	void thirdEmptyWatchIsDoubtedAndAListBringsWhatWasWithheld(Cut cut) throws InterruptedException {
		ScriptedReply first = this.api.state("41", "a@1");
		emptyWatches(2, cut);
		this.api.probe("44");
		ScriptedReply list = this.api.fullState(ScriptedReply::hold);
		ScriptedReply last = (this.mode == ListMode.PAGED) ? this.api.watch() : list;
		Informer<V1Pod> pods = this.api.startAndSync();
		cut.of(first);
		this.api.awaitAsked("FULL", "WATCH 41", "WATCH 41", "PROBE", "FULL");
		await().until(() -> pods.state() == InformerState.STALE);
		assertThat(this.api.recorder().delivered()).containsExactly("+a");
		if (this.mode == ListMode.PAGED) {
			list.line(ScriptedPods.podList("45", "", "a@1", "b@44")).end();
		}
		else {
			ScriptedPods.initialEvents(list, "a@1", "b@44").initialEventsEnd("45");
		}
		this.api.awaitDelivered("+a", "+b");
		await().until(() -> pods.state() == InformerState.LIVE);
		assertThat(pods.status().lists().byReason()).containsEntry(ListReason.SILENCE, 1L);
		last.event("ADDED", ScriptedPods.pod("c@46"));
		this.api.awaitDelivered("+a", "+b", "+c");
	}

	@ParameterizedTest
	@EnumSource
	void emptyWatchesOfAServerInWhichNothingHappensCostAProbeInThree(Cut cut) throws InterruptedException {
		ScriptedReply first = this.api.state("41", "a@1");
		emptyWatches(5, cut);
		ScriptedReply last = this.api.watch();
		this.api.everyProbe("41");
		Informer<V1Pod> pods = this.api.startAndSync();
		cut.of(first);
		last.event("ADDED", ScriptedPods.pod("b@42"));
		this.api.awaitDelivered("+a", "+b");
		this.api.awaitAsked("FULL", "WATCH 41", "WATCH 41", "PROBE", "WATCH 41", "WATCH 41", "WATCH 41", "PROBE",
				"WATCH 41");
		await().until(() -> pods.state() == InformerState.LIVE);
		assertThat(pods.status().lists().total()).isEqualTo(1);
	}

	@Test
	void watchThatBringsABookmarkOrHalfAnEventIsNotEmpty() throws InterruptedException {
		ScriptedReply first = this.api.state("41", "a@1");
		emptyWatches(1, Cut.RESET);
		this.api.watch((reply) -> reply.bookmark("42").end());
		emptyWatches(2, Cut.RESET);
		// The translator to protobuf in this test waits for whole events.
		this.api.watch((
				reply) -> ((this.encoding == WireEncoding.JSON) ? reply.chunk(ScriptedPods.utf8("{\"type\":\"ADDED\","))
						: reply.bookmark("42"))
					.delay(Duration.ofMillis(50))
					.reset());
		emptyWatches(2, Cut.END);
		ScriptedReply last = this.api.watch();
		Informer<V1Pod> pods = this.api.startAndSync();
		first.end();
		last.event("ADDED", ScriptedPods.pod("b@43"));
		this.api.awaitDelivered("+a", "+b");
		assertThat(this.api.asked()).doesNotContain("PROBE");
		assertThat(pods.status().lists().total()).isEqualTo(1);
	}

	@Test
	void listsThatShowThatNothingWasWithheldBecomeRarer() throws InterruptedException {
		ScriptedReply first = this.api.state("41", "a@1");
		emptyWatches(2, Cut.END);
		this.api.probe("44");
		ScriptedReply second = this.api.state("45", "a@1");
		second.end();
		emptyWatches(5, Cut.END);
		this.api.probe("46");
		this.api.state("47", "a@1");
		Informer<V1Pod> pods = this.api.startAndSync();
		first.end();
		this.api.awaitAsked("FULL", "WATCH 41", "WATCH 41", "PROBE", "FULL", "WATCH 45", "WATCH 45", "WATCH 45",
				"WATCH 45", "WATCH 45", "PROBE", "FULL");
		await().until(() -> pods.state() == InformerState.LIVE);
		assertThat(this.api.recorder().delivered()).containsExactly("+a");
	}

	@Test
	void silentWatchesBehindWhichTheVersionMovesAreDoubtedToo() throws InterruptedException {
		this.api.state("41", "a@1");
		this.api.watch();
		this.api.probe("44");
		ScriptedReply last = this.api.state("45", "a@1", "b@44");
		Informer<V1Pod> pods = this.api.startAndSync((builder) -> builder.idleTimeout(Duration.ofMillis(800)));
		this.api.awaitDelivered("+a", "+b");
		last.event("ADDED", ScriptedPods.pod("c@46"));
		this.api.awaitDelivered("+a", "+b", "+c");
		assertThat(this.api.asked()).containsExactly("FULL", "WATCH 41", "PROBE", "FULL");
		assertThat(pods.state()).isEqualTo(InformerState.LIVE);
	}

	private void emptyWatches(int count, Cut cut) {
		for (int i = 0; i < count; i++) {
			this.api.watch(cut::of);
		}
	}

	enum Cut {

		END, RESET;

		void of(ScriptedReply reply) {
			if (this == END) {
				reply.end();
			}
			else {
				reply.delay(Duration.ofMillis(30)).reset();
			}
		}

	}

}
