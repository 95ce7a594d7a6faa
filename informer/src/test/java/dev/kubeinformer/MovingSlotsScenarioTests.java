package dev.kubeinformer;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Stream;

import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Pod;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import dev.kubeinformer.handler.HandlerOptions;
import dev.kubeinformer.handler.ResourceEvent;
import dev.kubeinformer.informer.Informer;
import dev.kubeinformer.informer.InformerSpec;
import dev.kubeinformer.internal.codec.ShardFilter;
import dev.kubeinformer.shard.ManualShards;
import dev.kubeinformer.test.RecordedRequest;
import dev.kubeinformer.test.ScriptedApiServer;
import dev.kubeinformer.test.ScriptedReply;
import dev.kubeinformer.types.InformerState;
import dev.kubeinformer.types.ListMode;
import dev.kubeinformer.types.ListReason;

import static dev.kubeinformer.EngineTestSupport.await;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Exact sequences of requests and events while slots move. A pod is written as in
 * {@link ScriptedPods}; its UID is its name, and {@link #name(int, int)} finds a name in
 * a slot.
 */
class MovingSlotsScenarioTests {

	private static final Duration LONG = Duration.ofSeconds(30);

	private final ManualShards shards = ManualShards.of(4);

	private final String a = name(0, 0);

	private final String b = name(0, 1);

	private final String c = name(1, 0);

	private final String d = name(1, 1);

	private final String e = name(1, 2);

	private final ScriptedApiServer api = ScriptedApiServer.start();

	private final Recorder<V1Pod> recorder = new Recorder<>();

	private Informers informers;

	private Informer<V1Pod> informer;

	@AfterEach
	void stop() {
		if (this.informers != null) {
			this.informers.close();
		}
		this.api.close();
	}

	@Test
	void onlyAGainShouldBeListedAndTheWatchResumeFromTheOlderVersion() {
		list(Set.of(0), (reply) -> list(reply, "41", this.a + "@3"));
		ScriptedReply first = watch(Set.of(0), "41");
		start(0);
		first.bookmark("45");
		await().until(() -> this.informer.lastSyncResourceVersion().equals("45"));
		list(Set.of(1), (reply) -> list(reply, "50", this.c + "@48", this.d + "@7"));
		ScriptedReply second = watch(Set.of(0, 1), "45");
		this.shards.gain(1);
		await().until(() -> this.informer.status().sharding().listed().equals(Set.of(0, 1)));
		// Between the two versions, e came and went, and c changed: its list showed that.
		second.event("ADDED", ScriptedPods.pod(this.e + "@46"))
			.event("ADDED", ScriptedPods.pod(this.b + "@47"))
			.event("MODIFIED", ScriptedPods.pod(this.c + "@48"))
			.event("DELETED", ScriptedPods.pod(this.e + "@49"))
			.event("MODIFIED", ScriptedPods.pod(this.d + "@51"));
		delivered("+" + this.a, "+" + this.c, "+" + this.d, "+" + this.b, "~" + this.d);
		assertThat(initial()).containsExactlyInAnyOrder(this.a, this.c, this.d);
		assertThat(lists()).extracting((request) -> request.parameter("resourceVersion")).containsOnlyNulls();
		assertThat(this.informer.status().lists().byReason())
			.containsExactlyInAnyOrderEntriesOf(Map.of(ListReason.INITIAL, 1L, ListReason.SLOTS, 1L));
		verify();
	}

	@Test
	void watchThatIsAheadOfAGainShouldRepeatWithoutPhantoms() {
		list(Set.of(0), (reply) -> list(reply, "41", this.a + "@3"));
		ScriptedReply first = watch(Set.of(0), "41");
		start(0);
		ScriptedReply gained = list(Set.of(1), ScriptedReply::hold);
		this.shards.gain(1);
		await().until(() -> lists().size() == 2);
		first.event("ADDED", ScriptedPods.pod(this.b + "@52"))
			.event("MODIFIED", ScriptedPods.pod(this.a + "@53"))
			.event("DELETED", ScriptedPods.pod(this.b + "@60"));
		delivered("+" + this.a, "+" + this.b, "~" + this.a, "-" + this.b);
		ScriptedReply second = watch(Set.of(0, 1), "50");
		list(gained, "50", this.c + "@7", this.d + "@8");
		second.event("ADDED", ScriptedPods.pod(this.b + "@52"))
			.event("MODIFIED", ScriptedPods.pod(this.a + "@53"))
			.event("DELETED", ScriptedPods.pod(this.c + "@55"))
			.event("ADDED", ScriptedPods.pod(this.e + "@56"))
			.event("DELETED", ScriptedPods.pod(this.b + "@60"))
			.event("ADDED", ScriptedPods.pod(successor(this.b, 0) + "@61"));
		delivered("+" + this.a, "+" + this.b, "~" + this.a, "-" + this.b, "+" + this.c, "+" + this.d, "-" + this.c,
				"+" + this.e, "+" + this.b);
		verify();
	}

	@Test
	void slotThatIsLostWhileItIsListedShouldBeDropped() {
		list(Set.of(0), (reply) -> list(reply, "41", this.a + "@3"));
		ScriptedReply first = watch(Set.of(0), "41");
		start(0);
		list(Set.of(1), ScriptedReply::hold);
		this.shards.gain(1);
		await().until(() -> lists().size() == 2);
		assertThat(this.shards.move(1)).isTrue();
		first.event("ADDED", ScriptedPods.pod(this.b + "@47"));
		delivered("+" + this.a, "+" + this.b);
		assertThat(this.informer.status().lastError()).isNull();
		// Gained again, it is listed again.
		list(Set.of(1), (reply) -> list(reply, "50", this.c + "@48"));
		watch(Set.of(0, 1), "47");
		this.shards.gain(1);
		delivered("+" + this.a, "+" + this.b, "+" + this.c);
		verify();
	}

	@Test
	void listOfAGainThatIsGainedAgainShouldNotBeTakenForTheNewGain() {
		list(Set.of(0), (reply) -> list(reply, "41", this.a + "@3"));
		watch(Set.of(0), "41");
		start(0);
		ScriptedReply stale = list(Set.of(1), ScriptedReply::hold);
		this.shards.gain(1);
		await().until(() -> lists().size() == 2);
		assertThat(this.shards.move(1)).isTrue();
		list(Set.of(1), (reply) -> list(reply, "60", this.d + "@58"));
		watch(Set.of(0, 1), "41");
		this.shards.gain(1);
		list(stale, "50", this.c + "@48");
		delivered("+" + this.a, "+" + this.d);
		verify();
	}

	@Test
	void failedListOfAGainShouldBeRepeatedAndDisturbNothingElse() {
		list(Set.of(0), (reply) -> list(reply, "41", this.a + "@3"));
		ScriptedReply first = watch(Set.of(0), "41");
		start(0);
		await().until(() -> this.informer.status().state() == InformerState.LIVE);
		list(Set.of(1), (reply) -> reply.status(500));
		list(Set.of(1), (reply) -> reply.status(429));
		ScriptedReply third = list(Set.of(1), ScriptedReply::hold);
		this.shards.gain(1);
		await().until(() -> lists().size() == 4);
		first.event("ADDED", ScriptedPods.pod(this.b + "@47"));
		delivered("+" + this.a, "+" + this.b);
		assertThat(this.informer.status().state()).isEqualTo(InformerState.LIVE);
		assertThat(this.informer.status().sharding().listed()).containsExactly(0);
		assertThat(this.informer.status().sharding().held()).containsExactlyInAnyOrder(0, 1);
		watch(Set.of(0, 1), "47");
		list(third, "50", this.c + "@48");
		delivered("+" + this.a, "+" + this.b, "+" + this.c);
		verify();
	}

	@Test
	void versionThatExpiresMeanwhileShouldListAllSlotsTogether() {
		list(Set.of(0), (reply) -> list(reply, "41", this.a + "@3"));
		ScriptedReply first = watch(Set.of(0), "41");
		start(0);
		ScriptedReply late = list(Set.of(1), ScriptedReply::hold);
		this.shards.gain(1);
		await().until(() -> lists().size() == 2);
		list(Set.of(0, 1), (reply) -> list(reply, "70", this.a + "@3", this.d + "@9"));
		ScriptedReply second = watch(Set.of(0, 1), "70");
		first.error(410, "too old");
		delivered("+" + this.a, "+" + this.d);
		// Its list is not needed any more, and is older.
		list(late, "50", this.c + "@8", this.d + "@9");
		second.event("DELETED", ScriptedPods.pod(this.d + "@71"));
		delivered("+" + this.a, "+" + this.d, "-" + this.d);
		assertThat(initial()).containsExactlyInAnyOrder(this.a, this.d);
		verify();
	}

	@Test
	void cutWatchShouldResumeWithTheSlotsThatAreListed() {
		list(Set.of(0), (reply) -> list(reply, "41", this.a + "@3"));
		ScriptedReply first = watch(Set.of(0), "41");
		start(0);
		ScriptedReply gained = list(Set.of(1), ScriptedReply::hold);
		this.shards.gain(1);
		await().until(() -> lists().size() == 2);
		ScriptedReply again = watch(Set.of(0), "44");
		first.bookmark("44").reset();
		again.bookmark("46");
		await().until(() -> this.informer.lastSyncResourceVersion().equals("46"));
		watch(Set.of(0, 1), "46");
		list(gained, "50", this.c + "@8");
		delivered("+" + this.a, "+" + this.c);
		verify();
	}

	@Test
	void gainsInARowShouldBeListedTogether() {
		list(Set.of(0), (reply) -> list(reply, "41", this.a + "@3"));
		watch(Set.of(0), "41");
		start(0);
		ScriptedReply gained = list(Set.of(1), ScriptedReply::hold);
		this.shards.gain(1);
		await().until(() -> lists().size() == 2);
		this.shards.gain(2);
		this.shards.gain(3);
		watch(Set.of(0, 1), "41");
		ScriptedReply others = list(Set.of(2, 3), ScriptedReply::hold);
		list(gained, "50", this.c + "@8");
		await().until(() -> watches().size() == 2 && lists().size() == 3);
		watch(Set.of(0, 1, 2, 3), "41");
		list(others, "55", name(2, 0) + "@8", name(3, 0) + "@9");
		delivered("+" + this.a, "+" + this.c, "+" + name(2, 0), "+" + name(3, 0));
		verify();
	}

	@Test
	void gainDuringTheFirstListShouldBeListedAfterIt() throws InterruptedException {
		ScriptedReply initial = list(Set.of(0), ScriptedReply::hold);
		start(0);
		await().until(() -> lists().size() == 1);
		this.shards.gain(1);
		watch(Set.of(0), "41");
		ScriptedReply gained = list(Set.of(1), ScriptedReply::hold);
		list(initial, "41", this.a + "@3");
		await().until(() -> lists().size() == 2);
		delivered("+" + this.a);
		assertThat(this.informer.hasSynced()).isFalse();
		watch(Set.of(0, 1), "41");
		list(gained, "50", this.c + "@8");
		assertThat(this.informer.awaitSync(LONG)).isTrue();
		delivered("+" + this.a, "+" + this.c);
		verify();
	}

	@Test
	void streamingListShouldBeFollowedByListsOfGains() {
		ScriptedReply stream = on(
				(request) -> isOf(request, Set.of(0)) && request.parameter("sendInitialEvents") != null,
				ScriptedReply::hold);
		start(ListMode.AUTO, 0);
		await().until(() -> this.api.openRequests() == 1);
		stream.event("ADDED", ScriptedPods.pod(this.a + "@3"));
		this.shards.gain(1);
		list(Set.of(1), (reply) -> list(reply, "50", this.c + "@8"));
		ScriptedReply second = watch(Set.of(0, 1), "41");
		stream.initialEventsEnd("41");
		delivered("+" + this.a, "+" + this.c);
		second.event("MODIFIED", ScriptedPods.pod(this.c + "@51"));
		delivered("+" + this.a, "+" + this.c, "~" + this.c);
		verify();
	}

	@Test
	void lossShouldEvictWithoutDeletionsAndLeaveTheWatchOpen() throws InterruptedException {
		list(Set.of(0, 1, 2), (reply) -> list(reply, "41", this.a + "@3", this.c + "@4", name(2, 0) + "@5"));
		ScriptedReply first = watch(Set.of(0, 1, 2), "41");
		start(0, 1, 2);
		this.informer.addIndexers(Map.of("app", (pod) -> List.of("app")));
		assertThat(this.informer.awaitSync(LONG)).isTrue();
		delivered("+" + this.a, "+" + this.c, "+" + name(2, 0));
		assertThat(this.shards.move(1)).isTrue();
		assertThat(this.informer.lister().list()).hasSize(2);
		assertThat(this.informer.getIndexer().byIndex("app", "app")).hasSize(2);
		assertThat(this.informer.status().sharding().listed()).containsExactlyInAnyOrder(0, 2);
		first.event("MODIFIED", ScriptedPods.pod(this.c + "@42"))
			.event("ADDED", ScriptedPods.pod(this.d + "@43"))
			.event("DELETED", ScriptedPods.pod(this.c + "@44"))
			.event("MODIFIED", ScriptedPods.pod(this.a + "@45"));
		delivered("+" + this.a, "+" + this.c, "+" + name(2, 0), "~" + this.a);
		// Most slots went: the watch asks for less.
		watch(Set.of(0), "45");
		assertThat(this.shards.move(2)).isTrue();
		await().until(() -> watches().size() == 2);
		delivered("+" + this.a, "+" + this.c, "+" + name(2, 0), "~" + this.a);
		verify();
	}

	@Test
	void withoutASlotThereShouldBeNoRequest() throws InterruptedException {
		start();
		this.shards.settle();
		assertThat(this.informer.awaitSync(LONG)).isTrue();
		assertThat(this.informer.awaitResourceVersion("99999", LONG)).isTrue();
		await().until(() -> this.informer.status().state() == InformerState.LIVE);
		list(Set.of(1), (reply) -> list(reply, "50", this.c + "@8"));
		watch(Set.of(1), "50");
		this.shards.gain(1);
		delivered("+" + this.c);
		assertThat(initial()).containsExactly(this.c);
		await().until(() -> watches().size() == 1);
		assertThat(this.shards.move(1)).isTrue();
		assertThat(this.informer.lister().list()).isEmpty();
		list(Set.of(0), (reply) -> list(reply, "60", this.a + "@8"));
		watch(Set.of(0), "60");
		this.shards.gain(0);
		delivered("+" + this.c, "+" + this.a);
		await().until(() -> watches().size() == 2);
		assertThat(lists()).extracting((request) -> request.parameter("resourceVersion")).containsOnlyNulls();
		verify();
	}

	@Test
	void waitsShouldRespectSlots() throws Exception {
		list(Set.of(0), (reply) -> list(reply, "41", this.a + "@3"));
		ScriptedReply first = watch(Set.of(0), "41");
		start(0);
		assertThat(this.informer.awaitSync(LONG)).isTrue();
		// Not held: not awaited.
		assertThat(this.informer.await(written(this.c, "99"), Duration.ZERO)).isTrue();
		first.bookmark("60");
		assertThat(this.informer.awaitResourceVersion("60", LONG)).isTrue();
		ScriptedReply gained = list(Set.of(1), ScriptedReply::hold);
		this.shards.gain(1);
		await().until(() -> lists().size() == 2);
		// Held, and not shown: the version of the other slots proves nothing.
		assertThat(this.informer.await(written(this.c, "50"), Duration.ZERO)).isFalse();
		assertThat(this.informer.awaitResourceVersion("60", Duration.ZERO)).isFalse();
		CompletableFuture<Boolean> awaited = CompletableFuture.supplyAsync(() -> {
			try {
				return this.informer.await(written(this.d, "58"), LONG);
			}
			catch (InterruptedException ex) {
				throw new IllegalStateException(ex);
			}
		});
		ScriptedReply second = watch(Set.of(0, 1), "55");
		list(gained, "55", this.c + "@50");
		assertThat(this.informer.await(written(this.c, "50"), LONG)).isTrue();
		assertThat(this.informer.awaitResourceVersion("60", Duration.ZERO)).isFalse();
		assertThat(awaited).isNotDone();
		second.bookmark("60");
		assertThat(this.informer.awaitResourceVersion("60", LONG)).isTrue();
		assertThat(awaited).succeedsWithin(LONG).isEqualTo(true);
		verify();
	}

	@Test
	void lossShouldEndTheWaitForAWrite() throws Exception {
		list(Set.of(0, 1), (reply) -> list(reply, "41", this.a + "@3"));
		watch(Set.of(0, 1), "41");
		start(0, 1);
		assertThat(this.informer.awaitSync(LONG)).isTrue();
		CompletableFuture<Boolean> awaited = CompletableFuture.supplyAsync(() -> {
			try {
				return this.informer.await(written(this.d, "58"), LONG);
			}
			catch (InterruptedException ex) {
				throw new IllegalStateException(ex);
			}
		});
		watch(Set.of(0), "41");
		assertThat(this.shards.move(1)).isTrue();
		assertThat(awaited).succeedsWithin(LONG).isEqualTo(true);
	}

	@Test
	void versionsWithoutAnOrderShouldListAllSlots() {
		list(Set.of(0), (reply) -> list(reply, "x41", this.a + "@3"));
		watch(Set.of(0), "x41");
		start(0);
		await().until(() -> watches().size() == 1);
		list(Set.of(1), (reply) -> list(reply, "x50", this.c + "@8"));
		list(Set.of(0, 1), (reply) -> list(reply, "x51", this.a + "@3", this.c + "@8"));
		watch(Set.of(0, 1), "x51");
		this.shards.gain(1);
		delivered("+" + this.a, "+" + this.c);
		assertThat(initial()).containsExactlyInAnyOrder(this.a, this.c);
		verify();
	}

	@Test
	void serverThatWentBackShouldBeListedAsAWhole() {
		list(Set.of(0), (reply) -> list(reply, "141", this.a + "@3"));
		watch(Set.of(0), "141");
		start(0);
		await().until(() -> watches().size() == 1);
		list(Set.of(1), (reply) -> list(reply, "50", this.c + "@8"));
		list(Set.of(0, 1), (reply) -> list(reply, "51", this.c + "@8"));
		watch(Set.of(0, 1), "51");
		this.shards.gain(1);
		delivered("+" + this.a, "-" + this.a + "?", "+" + this.c);
		assertThat(this.informer.status().lists().byReason()).containsEntry(ListReason.RESTORED, 1L);
		verify();
	}

	@Test
	void deliveryInProgressShouldBeAwaitedAndLaterOnesDropped() throws Exception {
		CountDownLatch entered = new CountDownLatch(1);
		CountDownLatch leave = new CountDownLatch(1);
		List<String> handled = new ArrayList<>();
		list(Set.of(0, 1), (reply) -> list(reply, "41", this.c + "@3"));
		ScriptedReply first = watch(Set.of(0, 1), "41");
		prepare(ListMode.PAGED);
		this.informer.addHandler((event) -> {
			synchronized (handled) {
				handled.add(event.type() + " " + event.object().getMetadata().getName());
			}
			if (event.object().getMetadata().getName().equals(this.c)) {
				entered.countDown();
				leave.await();
				throw new IllegalStateException("An evicted event is not repeated");
			}
		}, HandlerOptions.defaults());
		start(0, 1);
		assertThat(entered.await(30, TimeUnit.SECONDS)).isTrue();
		first.event("MODIFIED", ScriptedPods.pod(this.c + "@42"))
			.event("ADDED", ScriptedPods.pod(this.d + "@43"))
			.event("DELETED", ScriptedPods.pod(this.d + "@44"))
			.event("ADDED", ScriptedPods.pod(this.e + "@45"))
			.event("ADDED", ScriptedPods.pod(this.a + "@46"));
		await().until(() -> this.informer.lister().list().size() == 3);
		watch(Set.of(0), "46");
		CompletableFuture<Boolean> moved = this.shards.beginMove(Set.of(1));
		await().until(() -> this.informer.lister().list().size() == 1);
		assertThat(moved).isNotDone();
		leave.countDown();
		assertThat(moved).succeedsWithin(LONG).isEqualTo(true);
		await().until(() -> this.informer.handlers().stream().allMatch((each) -> each.status().queue().size() == 0));
		await().untilAsserted(() -> {
			synchronized (handled) {
				assertThat(handled).containsExactly("ADD " + this.c, "ADD " + this.a);
			}
		});
	}

	@Test
	void expiredSlotShouldBeKeptAndItsHandlersWait() {
		list(Set.of(0, 1), (reply) -> list(reply, "41", this.a + "@3", this.c + "@4"));
		ScriptedReply first = watch(Set.of(0, 1), "41");
		start(0, 1);
		delivered("+" + this.a, "+" + this.c);
		this.shards.lose();
		first.event("MODIFIED", ScriptedPods.pod(this.a + "@42")).event("MODIFIED", ScriptedPods.pod(this.c + "@43"));
		await().until(() -> this.informer.lastSyncResourceVersion().equals("43"));
		assertThat(this.recorder.delivered()).hasSize(2);
		assertThat(this.informer.lister().list()).hasSize(2);
		this.shards.gain(0);
		assertThat(this.recorder.delivered()).hasSize(2);
		watch(Set.of(0), "43");
		assertThat(this.shards.taken(1)).isTrue();
		delivered("+" + this.a, "+" + this.c, "~" + this.a);
		assertThat(lists()).hasSize(1);
		await().until(() -> watches().size() == 2);
		verify();
	}

	@Test
	void successorInAnotherSlotShouldSurviveTheOlderList() {
		String successor = successor(this.c, 0);
		list(Set.of(0), (reply) -> list(reply, "41", this.a + "@3"));
		ScriptedReply first = watch(Set.of(0), "41");
		start(0);
		ScriptedReply gained = list(Set.of(1), ScriptedReply::hold);
		this.shards.gain(1);
		await().until(() -> lists().size() == 2);
		first.event("ADDED", ScriptedPods.pod(successor + "@56"));
		delivered("+" + this.a, "+" + this.c);
		ScriptedReply second = watch(Set.of(0, 1), "50");
		list(gained, "50", this.c + "@8");
		second.event("DELETED", ScriptedPods.pod(this.c + "@55"))
			.event("ADDED", ScriptedPods.pod(successor + "@56"))
			.event("ADDED", ScriptedPods.pod(this.b + "@57"));
		delivered("+" + this.a, "+" + this.c, "+" + this.b);
		assertThat(this.informer.lister().get("blog/" + this.c).getMetadata().getUid()).contains("/");
		verify();
	}

	@Test
	void slotThatMovedAwayAndBackDuringARelistShouldBeListedAgain() {
		list(Set.of(0, 1), (reply) -> list(reply, "41", this.a + "@3", this.c + "@4"));
		ScriptedReply first = watch(Set.of(0, 1), "41");
		start(0, 1);
		delivered("+" + this.a, "+" + this.c);
		ScriptedReply relist = list(Set.of(0, 1), ScriptedReply::hold);
		first.error(410, "too old");
		await().until(() -> lists().size() == 2);
		assertThat(this.shards.move(1)).isTrue();
		ScriptedReply gained = list(Set.of(1), ScriptedReply::hold);
		this.shards.gain(1);
		await().until(() -> lists().size() == 3);
		watch(Set.of(0), "60");
		// Both objects are recognised as those of the cache when the list began.
		list(relist, "60", this.a + "@3", this.c + "@4");
		await().until(() -> watches().size() == 2);
		assertThat(this.informer.lister().list()).hasSize(1);
		watch(Set.of(0, 1), "60");
		list(gained, "61", this.c + "@4");
		delivered("+" + this.a, "+" + this.c, "+" + this.c);
		verify();
	}

	@Test
	void nameThatWasTakenByAnObjectOfALostSlotShouldBeDeleted() {
		list(Set.of(0, 1), (reply) -> list(reply, "41", this.c + "@4"));
		ScriptedReply first = watch(Set.of(0, 1), "41");
		start(0, 1);
		delivered("+" + this.c);
		ScriptedReply relist = list(Set.of(0, 1), ScriptedReply::hold);
		first.error(410, "too old");
		await().until(() -> lists().size() == 2);
		assertThat(this.shards.move(0)).isTrue();
		watch(Set.of(1), "60");
		list(relist, "60", successor(this.c, 0) + "@50");
		delivered("+" + this.c, "-" + this.c + "?");
		assertThat(this.informer.lister().list()).isEmpty();
		verify();
	}

	@Test
	void restartShouldListWhatIsHeldAndNothingElse() throws InterruptedException {
		list(Set.of(0, 1), (reply) -> list(reply, "41", this.a + "@3", this.c + "@4"));
		watch(Set.of(0, 1), "41");
		start(0, 1);
		delivered("+" + this.a, "+" + this.c);
		await().until(() -> watches().size() == 1);
		this.informers.stop();
		assertThat(this.informer.status().sharding().listed()).isEmpty();
		assertThat(this.shards.move(1)).isTrue();
		assertThat(this.informer.lister().list()).hasSize(1);
		list(Set.of(0), (reply) -> list(reply, "50", this.a + "@3", this.b + "@49"));
		watch(Set.of(0), "50");
		this.informers.start();
		assertThat(this.informer.awaitSync(LONG)).isTrue();
		delivered("+" + this.a, "+" + this.c, "+" + this.b);
		verify();
	}

	private void start(Integer... slots) {
		start(ListMode.PAGED, slots);
	}

	private void start(ListMode mode, Integer... slots) {
		if (this.informers == null) {
			prepare(mode);
			this.informer.addHandler(this.recorder, HandlerOptions.defaults());
		}
		if (slots.length > 0) {
			this.shards.gain(slots);
		}
		this.informers.start();
		if (mode == ListMode.PAGED && slots.length > 0) {
			await().until(() -> !lists().isEmpty());
		}
	}

	private void prepare(ListMode mode) {
		this.informers = EngineTestSupport.informers(this.api.url(), (builder) -> builder.listMode(mode));
		this.informer = this.informers.informer(InformerSpec.of(V1Pod.class).withShards(this.shards));
	}

	private ScriptedReply list(Set<Integer> slots, Consumer<ScriptedReply> script) {
		return on((request) -> request.isList() && isOf(request, slots), script);
	}

	private static void list(ScriptedReply reply, String version, String... pods) {
		reply.json(200, ScriptedPods.podList(version, "", pods));
	}

	private ScriptedReply watch(Set<Integer> slots, String version) {
		return on((request) -> request.isWatch() && isOf(request, slots)
				&& version.equals(request.parameter("resourceVersion")), ScriptedReply::hold);
	}

	private ScriptedReply on(Predicate<RecordedRequest> pattern, Consumer<ScriptedReply> script) {
		return this.api.on(pattern, script);
	}

	private boolean isOf(RecordedRequest request, Set<Integer> slots) {
		return ShardFilter.of(this.shards.division(), slots).selector().equals(request.parameter("shardSelector"));
	}

	private List<RecordedRequest> lists() {
		return this.api.requests().stream().filter(RecordedRequest::isList).toList();
	}

	private List<RecordedRequest> watches() {
		return this.api.requests().stream().filter(RecordedRequest::isWatch).toList();
	}

	private void verify() {
		await().untilAsserted(this.api::verify);
	}

	private void delivered(String... events) {
		await().untilAsserted(() -> assertThat(this.recorder.delivered()).containsExactlyInAnyOrder(events));
	}

	private List<String> initial() {
		return this.recorder.events()
			.stream()
			.filter(ResourceEvent::initial)
			.map((event) -> event.object().getMetadata().getName())
			.toList();
	}

	private V1Pod written(String name, String version) {
		return new V1Pod().metadata(new V1ObjectMeta().namespace("blog").name(name).uid(name).resourceVersion(version));
	}

	private String name(int slot, int index) {
		return Stream.iterate(0, (i) -> i + 1)
			.map((i) -> "p" + i)
			.filter((name) -> this.shards.division().slotOf("blog", name) == slot)
			.skip(index)
			.findFirst()
			.orElseThrow();
	}

	private String successor(String name, int slot) {
		return Stream.iterate(2, (i) -> i + 1)
			.map((i) -> name + "/" + i)
			.filter((uid) -> this.shards.division().slotOf("blog", uid) == slot)
			.findFirst()
			.orElseThrow();
	}

}
