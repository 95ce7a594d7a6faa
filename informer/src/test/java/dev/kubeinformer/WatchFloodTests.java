package dev.kubeinformer;

import java.util.function.BiConsumer;

import io.kubernetes.client.openapi.models.V1Pod;
import okhttp3.Protocol;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import dev.kubeinformer.informer.Informer;
import dev.kubeinformer.test.ScriptedReply;
import dev.kubeinformer.types.ListMode;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Watches that bring very much, and nothing of it is an event.
 */
class WatchFloodTests {

	private static final String BOOKMARK = "{\"type\":\"BOOKMARK\",\"object\":{\"kind\":\"Pod\",\"apiVersion\":\"v1\","
			+ "\"metadata\":{\"resourceVersion\":\"%d\"}}}\n";

	private final ScriptedPods api = new ScriptedPods(ListMode.PAGED, Protocol.HTTP_1_1);

	@AfterEach
	void stop() {
		this.api.close();
	}

	@ParameterizedTest
	@EnumSource(Filler.class)
	void watchThatBringsNothingButFillerIsEndedAndDoubted(Filler filler) throws InterruptedException {
		ScriptedReply watch = this.api.state("41", "a@1");
		for (int i = 0; i < 2; i++) {
			this.api.watch((reply) -> filler.script.accept(reply, 20_000));
		}
		this.api.everyProbe("41");
		this.api.watch((reply) -> reply.event("ADDED", ScriptedPods.pod("b@900")).hold());
		Informer<V1Pod> pods = this.api.startAndSync();
		filler.script.accept(watch, 20_000);
		this.api.awaitDelivered("+a", "+b");
		assertThat(pods.status().watch().restarts().toString()).isEqualTo("{FLOODED=3}");
		assertThat(pods.status().lastError().message()).contains("nothing but");
		assertThat(pods.status().lists().total()).isOne();
	}

	@ParameterizedTest
	@EnumSource(Filler.class)
	void fillerBetweenEventsIsNoFlood(Filler filler) throws InterruptedException {
		ScriptedReply watch = this.api.state("41", "a@1");
		Informer<V1Pod> pods = this.api.startAndSync();
		String[] delivered = new String[6];
		delivered[0] = "+a";
		for (int i = 1; i < delivered.length; i++) {
			filler.script.accept(watch, 4000);
			watch.event("ADDED", ScriptedPods.pod("b" + i + "@" + (100_000 * i)));
			delivered[i] = "+b" + i;
		}
		this.api.awaitDelivered(delivered);
		assertThat(pods.status().watch().restarts()).isEmpty();
	}

	@Test
	void streamingListThatBringsNothingButFillerIsInterrupted() throws InterruptedException {
		try (ScriptedPods streaming = new ScriptedPods(ListMode.STREAMING, Protocol.HTTP_1_1)) {
			streaming.stream((reply) -> Filler.BLANK_LINES.script.accept(reply, 20_000));
			streaming.state("41", "a@1");
			Informer<V1Pod> pods = streaming.startAndSync();
			streaming.awaitDelivered("+a");
			assertThat(pods.status().lastError().message()).contains("nothing but");
		}
	}

	/** Filler of a watch. */
	enum Filler {

		BLANK_LINES((reply, count) -> reply.chunk(ScriptedPods.utf8("\n".repeat(count)))),

		LINES_OF_SPACES((reply, count) -> reply.chunk(ScriptedPods.utf8((" ".repeat(200) + "\r\n").repeat(count)))),

		BOOKMARKS((reply, count) -> reply.chunk(ScriptedPods.utf8(BOOKMARK.formatted(41).repeat(count)))),

		BOOKMARKS_THAT_ADVANCE((reply, count) -> {
			StringBuilder bookmarks = new StringBuilder();
			for (int i = 0; i < count; i++) {
				bookmarks.append(BOOKMARK.formatted(41 + i / 1000));
			}
			reply.chunk(ScriptedPods.utf8(bookmarks.toString()));
		});

		private final BiConsumer<ScriptedReply, Integer> script;

		Filler(BiConsumer<ScriptedReply, Integer> script) {
			this.script = script;
		}

	}

}
