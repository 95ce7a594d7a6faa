package dev.kubeinformer;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.IntStream;

import io.kubernetes.client.openapi.models.V1ConfigMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import dev.kubeinformer.SlotReplica.Recorded;
import dev.kubeinformer.controller.ReconcilerSpec.Retry;
import dev.kubeinformer.controller.Reconciliation;
import dev.kubeinformer.controller.Result;
import dev.kubeinformer.shard.ManualShards;
import dev.kubeinformer.types.ObjectKey;
import dev.kubeinformer.types.ShardKey;
import dev.kubeinformer.types.Slots;

import static dev.kubeinformer.EngineTestSupport.await;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Two replicas that hand slots over at random while objects change.
 * {@code -Dslots.seed=…} repeats the moves and changes of a failure.
 */
class SlotHandoverTests {

	private static final int SLOTS = 6;

	private static final int WIDGETS = 24;

	private static final int STEPS = 100;

	private final WidgetWorld world = new WidgetWorld();

	private final List<SlotReplica<ManualShards>> replicas = new ArrayList<>();

	private final List<Hold> holds = new ArrayList<>();

	private final long seed = Long.getLong("slots.seed", System.nanoTime());

	private final Random random = new Random(this.seed);

	@AfterEach
	void close() {
		this.replicas.forEach(SlotReplica::close);
		this.world.close();
	}

	@ParameterizedTest
	@EnumSource(ShardKey.class)
	void keysShouldRunOnOneReplicaAtATimeAndNoneShouldBeLost(ShardKey key) throws InterruptedException {
		IntStream.range(0, WIDGETS).forEach((i) -> this.world.widgets.create(Widget.of(i / 2 + "-web", "w" + i, 1)));
		for (int i = 0; i < 2; i++) {
			this.replicas
				.add(new SlotReplica<>(this.world, this.world.api.url(), new ManualShards(new Slots(key, SLOTS)),
						SlotHandoverTests::reconcile, (spec) -> spec.withOwned(V1ConfigMap.class)
							.withRetry(new Retry(Duration.ofMillis(2), 2, Duration.ofMillis(20), 0.2))));
		}
		// So that a slot often moves before the watches show the writes of its runs.
		this.world.api.faults().watchLag(Duration.ofMillis(30));
		gain(this.replicas.get(0), IntStream.range(0, SLOTS).boxed().toList());
		this.replicas.get(1).shards.settle();
		try {
			for (int i = 0; i < STEPS; i++) {
				step();
			}
			settle();
		}
		catch (RuntimeException | AssertionError ex) {
			throw new AssertionError("The moves of seed %d failed".formatted(this.seed), ex);
		}
	}

	private static Result reconcile(Widget widget, Reconciliation<Widget> run) throws Exception {
		if (ThreadLocalRandom.current().nextInt(10) == 0) {
			throw new IllegalStateException("as the test wants it");
		}
		run.apply(WidgetWorld.child(widget));
		run.status((status) -> status.ready(widget.size()));
		return (ThreadLocalRandom.current().nextInt(6) == 0) ? Result.requeueAfter(Duration.ofMillis(20))
				: Result.done();
	}

	private void step() {
		int kind = this.random.nextInt(40);
		if (kind == 0) {
			expire();
		}
		else if (kind < 12) {
			move();
		}
		else {
			int number = this.random.nextInt(WIDGETS);
			this.world.widgets.edit(number / 2 + "-web", "w" + number, (widget) -> widget.size(widget.size() + 1));
		}
	}

	private void move() {
		SlotReplica<ManualShards> from = this.replicas.get(this.random.nextInt(2));
		List<Integer> held = new ArrayList<>(from.shards.slots());
		held.sort(null);
		Set<Integer> moved = new HashSet<>();
		for (int i = 0; i < 1 + this.random.nextInt(3) && !held.isEmpty(); i++) {
			moved.add(held.remove(this.random.nextInt(held.size())));
		}
		if (!moved.isEmpty()) {
			assertThat(from.shards.move(moved)).isTrue();
			end(from, moved, false);
			gain(other(from), moved);
		}
	}

	private void expire() {
		SlotReplica<ManualShards> from = this.replicas.get(this.random.nextInt(2));
		Set<Integer> lost = from.shards.slots();
		if (!lost.isEmpty()) {
			from.shards.lose();
			end(from, lost, true);
			gain(other(from), lost);
			assertThat(from.shards.taken(lost.toArray(Integer[]::new))).isTrue();
		}
	}

	private SlotReplica<ManualShards> other(SlotReplica<ManualShards> replica) {
		return this.replicas.get(1 - this.replicas.indexOf(replica));
	}

	private void gain(SlotReplica<ManualShards> replica, Collection<Integer> slots) {
		slots.forEach((slot) -> this.holds.add(new Hold(replica, slot, System.nanoTime())));
		replica.shards.gain(Set.copyOf(slots));
	}

	private void end(SlotReplica<ManualShards> replica, Set<Integer> slots, boolean expired) {
		long now = System.nanoTime();
		this.holds.stream()
			.filter((hold) -> hold.replica == replica && slots.contains(hold.slot) && hold.until == Long.MAX_VALUE)
			.forEach((hold) -> {
				hold.until = now;
				hold.expired = expired;
			});
	}

	private void settle() throws InterruptedException {
		await().untilAsserted(() -> this.world.widgets.list().forEach((widget) -> {
			assertThat(widget.ready()).isEqualTo(widget.size());
			V1ConfigMap child = this.world.configMaps.get(widget.getMetadata().getNamespace(),
					widget.getMetadata().getName());
			assertThat(child.getData()).containsEntry("size", Integer.toString(widget.size()));
		}));
		for (SlotReplica<ManualShards> replica : this.replicas) {
			if (replica.shards.membership().isLeader()) {
				replica.awaitIdle();
			}
		}
		Map<ObjectKey, Integer> slots = new HashMap<>();
		this.world.widgets.list()
			.forEach((widget) -> slots.put(ObjectKey.of(widget), this.replicas.get(0).slotOf(widget)));
		this.holds.stream().filter((hold) -> hold.until == Long.MAX_VALUE).forEach((hold) -> {
			Set<ObjectKey> missing = new HashSet<>(slots.keySet());
			missing.removeIf((key) -> slots.get(key) != hold.slot);
			hold.replica.runsSince(hold.from).forEach((run) -> missing.remove(run.key()));
			assertThat(missing).as("keys that did not run after the gain of slot %d", hold.slot).isEmpty();
		});
		List<Recorded> all = new ArrayList<>();
		for (SlotReplica<ManualShards> replica : this.replicas) {
			replica.writes.forEach((write) -> assertThat(isHeld(replica, slots.get(write.key()), write, true))
				.as("slot of a write: %s", write)
				.isTrue());
			for (Recorded run : replica.runs) {
				assertThat(isHeld(replica, run.slot(), run, false)).as("slot of a run: %s", run).isTrue();
				if (!isInExpired(replica, run)) {
					all.add(run);
				}
			}
		}
		SlotReplica.requireNoOverlap(all);
	}

	private boolean isHeld(SlotReplica<ManualShards> replica, int slot, Recorded done, boolean write) {
		return this.holds.stream()
			.anyMatch((hold) -> hold.replica == replica && hold.slot == slot && hold.from <= done.start()
					&& ((hold.expired && !write) || done.start() <= hold.until)
					&& (hold.expired || done.end() <= hold.until));
	}

	private boolean isInExpired(SlotReplica<ManualShards> replica, Recorded run) {
		return this.holds.stream()
			.anyMatch((hold) -> hold.expired && hold.replica == replica && hold.slot == run.slot()
					&& hold.from <= run.start() && run.start() <= hold.until);
	}

	private static final class Hold {

		final SlotReplica<ManualShards> replica;

		final int slot;

		final long from;

		long until = Long.MAX_VALUE;

		boolean expired;

		Hold(SlotReplica<ManualShards> replica, int slot, long from) {
			this.replica = replica;
			this.slot = slot;
			this.from = from;
		}

	}

}
