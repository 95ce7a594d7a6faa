package dev.kubeinformer.internal.dispatch;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

import org.junit.jupiter.api.Test;

import dev.kubeinformer.handler.ResourceEvent;
import dev.kubeinformer.internal.slots.SlotPredicate;
import dev.kubeinformer.internal.store.Delta;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Random events of a queue whose slots are lost at random, while events are handled, fail
 * and wait for their objects. No event of a lost slot is handed out again, nothing that
 * waited behind it is stuck, and at rest the handler knows what exists.
 */
class EvictedEventsTests {

	private static final int HISTORIES = 400;

	private static final int STEPS = 150;

	private static final int SLOTS = 3;

	@Test
	void lostEventsShouldVanishAndNothingElse() {
		long first = Long.getLong("dispatch.seed", System.nanoTime());
		for (int i = 0; i < HISTORIES; i++) {
			History history = new History(first + i);
			try {
				history.play();
			}
			catch (RuntimeException | AssertionError ex) {
				throw new AssertionError("Seed %d: %s".formatted(first + i, history.steps), ex);
			}
		}
	}

	@Test
	void syncShouldNotWaitForLostEvents() {
		HandlerSync sync = new HandlerSync(() -> {
		});
		PendingEvents<Note> events = new PendingEvents<>(2, () -> 0, () -> {
		}, sync, new Recovery());
		for (int i = 0; i < 5; i++) {
			events.add(Events.initial("o" + i, 1));
		}
		events.add(Events.updated("o1", 1, 2));
		PendingDelta<Note> inHand = events.handOut();
		sync.stateComplete();
		events.evict((namespace, uid) -> true);
		assertThat(events.size()).isZero();
		assertThat(sync.status().pendingInitial()).isEqualTo(1);
		assertThat(sync.isReached()).isFalse();
		assertThat(inHand.isEvicted()).isTrue();
		events.finished(inHand);
		events.finishedForSync(inHand);
		assertThat(sync.isReached()).isTrue();
	}

	/** One history. */
	private static final class History {

		private final Random random;

		private final List<String> steps = new ArrayList<>();

		private final HandlerSync sync = new HandlerSync(() -> {
		});

		private long now;

		private final PendingEvents<Note> events;

		/** Number of the present UID, and version, of each object. */
		private final Map<String, int[]> store = new HashMap<>();

		private final Map<String, String> known = new HashMap<>();

		private final Set<String> lost = new HashSet<>();

		private final List<PendingDelta<Note>> inHand = new ArrayList<>();

		private int uids;

		private int versions;

		History(long seed) {
			this.random = new Random(seed);
			this.events = new PendingEvents<>(1 + this.random.nextInt(20), () -> this.now, () -> {
			}, this.sync, new Recovery());
		}

		void play() {
			for (int i = 0; i < STEPS; i++) {
				step();
			}
			this.steps.add("rest");
			for (int i = 0; i < 10 * STEPS && (this.events.size() > 0 || !this.inHand.isEmpty()); i++) {
				this.now += 10;
				this.events.queueDue();
				handOut();
				if (!this.inHand.isEmpty()) {
					finish(this.inHand.remove(0));
				}
			}
			assertThat(this.events.size()).isZero();
			assertThat(this.inHand).isEmpty();
			assertThat(this.events.isHandling()).isFalse();
			assertThat(this.sync.status().pendingInitial()).isZero();
			Map<String, String> truth = new HashMap<>();
			this.store.forEach((name, object) -> truth.put(name, "u%d:%d".formatted(object[0], object[1])));
			assertThat(this.known).isEqualTo(truth);
		}

		private void step() {
			switch (this.random.nextInt(10)) {
				case 0, 1, 2, 3 -> change("o" + this.random.nextInt(4));
				case 4, 5 -> handOut();
				case 6, 7 -> {
					if (!this.inHand.isEmpty()) {
						finish(this.inHand.remove(this.random.nextInt(this.inHand.size())));
					}
				}
				case 8 -> {
					if (!this.inHand.isEmpty()) {
						fail(this.inHand.remove(this.random.nextInt(this.inHand.size())));
					}
					this.now += this.random.nextInt(3);
					this.events.queueDue();
				}
				default -> {
					if (this.random.nextInt(3) == 0) {
						evict(this.random.nextInt(SLOTS));
					}
				}
			}
		}

		private void change(String name) {
			int[] present = this.store.get(name);
			if (present == null) {
				int[] created = { ++this.uids, ++this.versions };
				this.store.put(name, created);
				boolean initial = this.random.nextBoolean();
				Delta<Note> added = Events.added(name, "u" + created[0], created[1]);
				add(initial ? new Delta<>(Delta.Kind.ADDED, null, added.after(), true, false) : added);
			}
			else if (this.random.nextInt(3) == 0) {
				this.store.remove(name);
				add(Events.deleted(name, "u" + present[0], present[1]));
			}
			else {
				int before = present[1];
				present[1] = ++this.versions;
				add(Events.updated(name, "u" + present[0], before, present[1]));
			}
		}

		private void add(Delta<Note> delta) {
			this.steps.add(delta.kind() + " " + delta.subject().name() + " " + delta.subject().uid());
			this.events.add(delta);
		}

		private void handOut() {
			PendingDelta<Note> next = this.events.handOut();
			if (next != null) {
				this.steps.add("out " + Events.describe(next.event("")));
				assertThat(this.lost).doesNotContain(next.event("").object().getMetadata().getUid());
				this.inHand.add(next);
			}
		}

		private void finish(PendingDelta<Note> pending) {
			ResourceEvent<Note> event = pending.event("");
			this.steps.add("done " + Events.describe(event));
			if (!pending.isEvicted()) {
				String name = event.object().getMetadata().getName();
				if (event.type() == ResourceEvent.Type.DELETE) {
					this.known.remove(name);
				}
				else {
					this.known.put(name,
							"%s:%s".formatted(event.object().getMetadata().getUid(), event.object().version()));
				}
			}
			this.events.finished(pending);
			this.events.finishedForSync(pending);
		}

		private void fail(PendingDelta<Note> pending) {
			this.steps.add("failed " + Events.describe(pending.event("")));
			if (pending.isEvicted()) {
				finish(pending);
				return;
			}
			Duration delay = Duration.ofNanos(this.random.nextInt(4));
			this.events.putBack(pending, delay, () -> pending.failed(delay));
		}

		private void evict(int slot) {
			this.steps.add("evict " + slot);
			SlotPredicate isLost = (namespace, uid) -> Integer.parseInt(uid.substring(1)) % SLOTS == slot;
			for (int uid = 1; uid <= this.uids; uid++) {
				if (isLost.test("", "u" + uid)) {
					this.lost.add("u" + uid);
				}
			}
			this.store.values().removeIf((object) -> isLost.test("", "u" + object[0]));
			this.known.values().removeIf((object) -> isLost.test("", object.substring(0, object.indexOf(':'))));
			this.events.evict(isLost);
			assertThat(this.inHand).filteredOn((each) -> each.isIn(isLost)).allMatch(PendingDelta::isEvicted);
			assertThat(this.events.isHandling(isLost))
				.isEqualTo(this.inHand.stream().anyMatch((each) -> each.isIn(isLost)));
		}

	}

}
