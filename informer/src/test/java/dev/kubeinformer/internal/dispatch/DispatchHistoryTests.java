package dev.kubeinformer.internal.dispatch;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

import org.junit.jupiter.api.Test;

import dev.kubeinformer.handler.HandlerOptions;
import dev.kubeinformer.handler.ResourceEvent;
import dev.kubeinformer.internal.store.Delta;
import dev.kubeinformer.internal.store.StoredObject;
import dev.kubeinformer.types.ObjectKey;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Random changes of a few objects, and of thousands that pile up, delivered to a handler
 * that fails at random. Whatever happens, no event of an object overtakes another, and at
 * rest the last state of every object that was handled or given up is that of the store.
 * A failure names the seed, {@code -Ddispatch.seed=…} plays it again; threads may meet in
 * another way then.
 */
class DispatchHistoryTests {

	private static final int HISTORIES = Boolean.getBoolean("tests.thorough") ? 500 : 100;

	private static final int STEPS = 150;

	private static final int OBJECTS = 5;

	/** Less of what fails with a backlog is handled while it is short. */
	private static final int BACKLOGS = HISTORIES / 25;

	private static final int STEPS_OF_A_BACKLOG = 5000;

	private static final int OBJECTS_OF_A_BACKLOG = 2000;

	@Test
	void everyObjectIsDeliveredInOrderAndEndsAsInTheStore() {
		run(OBJECTS, STEPS, Integer.getInteger("dispatch.count", HISTORIES));
	}

	@Test
	void backlogOfThousandsIsDeliveredInOrderAndEndsAsInTheStore() {
		run(OBJECTS_OF_A_BACKLOG, STEPS_OF_A_BACKLOG, Integer.getInteger("dispatch.backlogs", BACKLOGS));
	}

	private static void run(int objects, int steps, int count) {
		Long only = Long.getLong("dispatch.seed");
		if (only != null) {
			run(only, objects, steps);
			return;
		}
		long first = System.nanoTime();
		for (int i = 0; i < count; i++) {
			run(first + i, objects, steps);
		}
	}

	private static void run(long seed, int objects, int steps) {
		History history = new History(seed, objects, steps);
		try {
			history.play();
			history.settle();
		}
		catch (RuntimeException | AssertionError ex) {
			throw new AssertionError("The history of seed %d failed: %s".formatted(seed, history), ex);
		}
		finally {
			history.dispatcher.close(Duration.ZERO);
		}
	}

	/**
	 * One history.
	 */
	private static final class History {

		private final Random random;

		private final Witness witness;

		private final ManualTimer timer = new ManualTimer();

		private final HandlerDispatcher<Note> dispatcher;

		private final Map<String, StoredObject<Note>> store = new HashMap<>();

		private final Map<String, String> lastUid = new HashMap<>();

		private final int objects;

		private final int steps;

		private final int concurrency;

		private final int capacity;

		private final int maxRetries;

		private int versions;

		History(long seed, int objects, int steps) {
			this.random = new Random(seed);
			this.objects = objects;
			this.steps = steps;
			double failures = isBacklog() ? 0.05 : List.of(0.1, 0.5, 0.9, 1.0).get(this.random.nextInt(4));
			this.maxRetries = (failures == 1 || this.random.nextBoolean()) ? this.random.nextInt(4) : Integer.MAX_VALUE;
			this.witness = new Witness(failures, this.random.nextInt(3) * 200);
			this.concurrency = 1 + this.random.nextInt(4);
			this.capacity = (isBacklog() || this.random.nextBoolean()) ? 1 + this.random.nextInt(2 * objects) : 10_000;
			Duration delay = Duration.ofMillis(this.random.nextInt(3) * 500L);
			this.dispatcher = new HandlerDispatcher<>(this.witness::handle,
					HandlerOptions.defaults()
						.withConcurrency(this.concurrency)
						.withQueueCapacity(this.capacity)
						.withRetry((count, cause) -> (count <= this.maxRetries) ? delay.multipliedBy(Math.min(count, 8))
								: null),
					this.witness,
					new HandlerDispatcher.Context("test", Thread::new, this.timer::nanoTime, TestDispatchers.LOG));
		}

		void play() {
			int initial = isBacklog() ? this.objects / 2 : this.random.nextInt(this.objects);
			for (int i = 0; i < initial; i++) {
				add("o" + i, true);
			}
			this.dispatcher.sink().initialStateComplete();
			this.dispatcher.pause(isBacklog());
			this.dispatcher.start(this.timer);
			for (int i = 0; i < this.steps; i++) {
				step("o" + this.random.nextInt(this.objects));
				if (this.capacity < 10_000) {
					assertThat(this.dispatcher.status().queue().size())
						.isLessThanOrEqualTo(this.capacity + 2 * this.objects);
				}
			}
		}

		private boolean isBacklog() {
			return this.objects > OBJECTS;
		}

		private void step(String name) {
			StoredObject<Note> stored = this.store.get(name);
			if (isBacklog() && this.random.nextInt(100) > 0) {
				change(name, stored);
				return;
			}
			switch (this.random.nextInt(20)) {
				case 0, 1, 2, 3, 4, 5, 6, 7, 8 -> change(name, stored);
				case 9, 10 -> {
					if (stored != null) {
						this.dispatcher.sink().resync(stored);
					}
				}
				case 11 -> this.dispatcher.pause(this.random.nextBoolean());
				case 12 -> restart();
				case 13, 14 -> catchUp();
				default -> this.timer.advance(Duration.ofMillis(this.random.nextInt(1500)));
			}
		}

		private void change(String name, StoredObject<Note> stored) {
			if (stored == null) {
				add(name, false);
			}
			else if (this.random.nextInt(3) > 0) {
				StoredObject<Note> next = object(name, stored.uid());
				this.store.put(name, next);
				this.dispatcher.sink().delta(new Delta<>(Delta.Kind.UPDATED, stored, next, false, false));
			}
			else {
				delete(name, stored);
			}
		}

		private void delete(String name, StoredObject<Note> stored) {
			this.store.remove(name);
			// The API server shows the state at the deletion.
			boolean shown = this.random.nextBoolean();
			StoredObject<Note> last = shown ? object(name, stored.uid()) : null;
			this.dispatcher.sink().delta(new Delta<>(Delta.Kind.DELETED, stored, null, last, false, !shown));
			if (this.random.nextBoolean()) {
				add(name, false);
			}
			else if (!shown && this.random.nextBoolean()) {
				// A namespace that was removed comes back.
				StoredObject<Note> same = new StoredObject<>("ns", name, stored.uid(), stored.resourceVersion(),
						new Note(name, stored.uid(), stored.resourceVersion()));
				this.store.put(name, same);
				this.dispatcher.sink().delta(new Delta<>(Delta.Kind.ADDED, null, same, false, false));
			}
		}

		private void add(String name, boolean initial) {
			String uid = this.random.nextBoolean() ? this.lastUid.getOrDefault(name, "u") : "u" + this.versions;
			this.lastUid.put(name, uid);
			StoredObject<Note> added = object(name, uid);
			this.store.put(name, added);
			this.dispatcher.sink().delta(new Delta<>(Delta.Kind.ADDED, null, added, initial, false));
		}

		private StoredObject<Note> object(String name, String uid) {
			this.versions++;
			return new StoredObject<>("ns", name, uid, String.valueOf(this.versions),
					new Note(name, uid, String.valueOf(this.versions)));
		}

		private void restart() {
			this.dispatcher.drain(this.random.nextBoolean() ? Duration.ofSeconds(10) : Duration.ZERO);
			this.dispatcher.awaitDrained();
			this.dispatcher.awaitEnd(System.nanoTime() + Duration.ofMinutes(1).toNanos());
			assertThat(this.timer.scheduled()).isZero();
			this.dispatcher.start(this.timer);
		}

		private void catchUp() {
			if (!this.dispatcher.status().paused()) {
				await().pollDelay(Duration.ZERO).pollInterval(Duration.ofMillis(1)).until(this::isIdle);
			}
		}

		private boolean isIdle() {
			return this.dispatcher.status().handling() == null
					&& (this.timer.scheduled() == 1 || this.dispatcher.status().queue().size() == 0
							&& this.dispatcher.status().queue().waitingForRetry() == 0);
		}

		void settle() {
			this.dispatcher.pause(false);
			Map<String, String> expected = new TreeMap<>();
			this.store.forEach((name, object) -> expected.put(name, object.resourceVersion()));
			await().pollDelay(Duration.ZERO).pollInterval(Duration.ofMillis(1)).untilAsserted(() -> {
				this.timer.advance(Duration.ofSeconds(10));
				assertThat(this.witness.wrong).isEmpty();
				assertThat(new TreeMap<>(this.witness.versions())).isEqualTo(expected);
				assertThat(this.witness.failed).isEmpty();
				assertThat(this.dispatcher.status().queue().size()).isZero();
				assertThat(this.dispatcher.status().queue().waitingForRetry()).isZero();
				assertThat(this.dispatcher.status().sync().pendingInitial()).isZero();
				assertThat(this.dispatcher.status().handling()).isNull();
				assertThat(this.dispatcher.status().sync().syncedAt()).isNotNull();
				assertThat(this.timer.scheduled()).isZero();
			});
		}

		@Override
		public String toString() {
			return "concurrency %d, capacity %d, retries %d, failures %s, handled %s".formatted(this.concurrency,
					this.capacity, this.maxRetries, this.witness.failures, this.witness.handled);
		}

	}

	/**
	 * Handler that keeps the state that it handled or that was given up, and notes what
	 * should not have been delivered.
	 */
	private static final class Witness extends InactiveListener {

		private final Map<String, Note> state = new ConcurrentHashMap<>();

		/** The last attempt that failed and was to be made again, by name. */
		private final Map<String, ResourceEvent<Note>> failed = new ConcurrentHashMap<>();

		private final Map<String, Integer> newest = new ConcurrentHashMap<>();

		private final Set<String> running = ConcurrentHashMap.newKeySet();

		private final List<String> handled = Collections.synchronizedList(new ArrayList<>());

		private final List<String> wrong = Collections.synchronizedList(new ArrayList<>());

		private final Random random = new Random();

		private final double failures;

		private final int slowness;

		Witness(double failures, int slowness) {
			this.failures = failures;
			this.slowness = slowness;
		}

		void handle(ResourceEvent<Note> event) {
			String name = event.object().name();
			this.handled.add(Events.describe(event));
			check(this.running.add(name), "overlap", event);
			try {
				for (int i = 0; i < this.slowness; i++) {
					Thread.onSpinWait();
				}
				int version = Integer.parseInt(event.object().version());
				Integer before = this.newest.put(name, version);
				check(before == null || before <= version, "overtaking", event);
				checkAttempt(name, event);
				checkState(name, event);
				if (this.random.nextDouble() < this.failures) {
					throw new IllegalStateException(name);
				}
				this.failed.remove(name);
				apply(name, event);
			}
			finally {
				this.running.remove(name);
			}
		}

		@Override
		public void interrupted(ResourceEvent<Note> event, ObjectKey key) {
			// The failed attempt does not count.
			this.failed.put(event.object().name(), new ResourceEvent<>(event.type(), event.object(), event.oldObject(),
					event.resync(), event.initial(), event.finalStateUnknown(), event.attempt() - 1, event.cluster()));
		}

		@Override
		public void failed(ResourceEvent<Note> event, ObjectKey key, Throwable cause, Duration retry) {
			String name = event.object().name();
			check(!this.running.contains(name), "overlap", event);
			if (retry != null) {
				this.failed.put(name, event);
			}
			else {
				this.failed.remove(name);
				apply(name, event);
			}
		}

		private void checkAttempt(String name, ResourceEvent<Note> event) {
			ResourceEvent<Note> last = this.failed.get(name);
			boolean again = last != null && last.type() == event.type() && last.oldObject() == event.oldObject()
					&& last.object() == event.object();
			check(event.attempt() == (again ? last.attempt() + 1 : 1), "number of attempt", event);
			check(last == null || last.type() != ResourceEvent.Type.DELETE || again, "lost deletion", event);
		}

		private void checkState(String name, ResourceEvent<Note> event) {
			Note known = this.state.get(name);
			ResourceEvent<Note> last = this.failed.get(name);
			switch (event.type()) {
				case ADD -> check(known == null, "addition", event);
				case UPDATE -> check(known != null && event.oldObject().equals(known)
						&& (event.resync() || !event.object().equals(known)), "update", event);
				case DELETE -> check(known != null || last != null, "deletion", event);
			}
		}

		private void apply(String name, ResourceEvent<Note> event) {
			if (event.type() != ResourceEvent.Type.DELETE) {
				this.state.put(name, event.object());
			}
			else {
				this.state.remove(name);
			}
		}

		private void check(boolean right, String what, ResourceEvent<Note> event) {
			if (!right) {
				this.wrong.add(what + " at " + Events.describe(event));
			}
		}

		private Map<String, String> versions() {
			Map<String, String> versions = new HashMap<>();
			this.state.forEach((name, object) -> versions.put(name, object.version()));
			return versions;
		}

	}

}
