package dev.kubeinformer.internal.workqueue;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import dev.kubeinformer.controller.QueueLane;
import dev.kubeinformer.controller.ReconcilerSpec.Retry;
import dev.kubeinformer.types.ObjectKey;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Random histories of a queue, held against a simple model of what it must do: no key is
 * lost, no runs of a key overlap, and no run starts earlier or later than the rules say.
 * A failure names the seed, {@code -Dqueue.seed=…} plays it again.
 */
class KeyQueueHistoryTests {

	private static final RunFailure FAILURE = new RunFailure("E", false, null);

	private static final int HISTORIES = Boolean.getBoolean("tests.thorough") ? 10_000 : 1000;

	private static final int STEPS = 300;

	private static final int KEYS = 6;

	private static final long DELAY = 200;

	private static final long LONGEST = 1000;

	private static final long PARKED = 700;

	private static final double JITTER = 0.2;

	@Test
	void noKeyIsLostAndNoRunIsTooEarlyOrTooLate() {
		Long only = Long.getLong("queue.seed");
		long first = (only != null) ? only : System.nanoTime();
		for (int i = 0; i < ((only != null) ? 1 : HISTORIES); i++) {
			History history = new History(first + i);
			try {
				history.play();
			}
			catch (RuntimeException | AssertionError ex) {
				throw new AssertionError(
						"The history of seed %d failed:%n%s".formatted(first + i, String.join("\n", history.log)), ex);
			}
		}
	}

	/**
	 * Model of a key, from which the start of its next run follows: after a change by
	 * {@code changed}, after a requeue at {@code deadline}.
	 */
	private static final class Model {

		private static final long NONE = Long.MAX_VALUE;

		private final long minInterval;

		private boolean running;

		private @Nullable ParkedKey parked;

		private long changed = NONE;

		private boolean urgent;

		private boolean triggered;

		private boolean conflict;

		private int failures;

		private long deadline = NONE;

		private long lastStart = -100_000;

		Model(long minInterval) {
			this.minInterval = minInterval;
		}

		long earliest() {
			long change = this.changed;
			if (change != NONE && !this.triggered) {
				change = this.urgent ? change : Math.max(change, this.lastStart + this.minInterval);
				boolean held = this.failures > 0 && !this.conflict;
				change = held ? Math.max(change, this.lastStart + DELAY) : change;
			}
			return Math.min(change, this.deadline);
		}

		boolean isAbsent() {
			return this.changed == NONE && this.deadline == NONE && this.failures == 0 && !this.running
					&& this.parked == null;
		}

		void started(long now) {
			this.running = true;
			this.lastStart = now;
			this.changed = NONE;
			this.urgent = false;
			this.triggered = false;
			this.conflict = false;
		}

		void ended(long deadline) {
			this.running = false;
			this.deadline = (deadline != NONE) ? Math.max(deadline, this.lastStart + this.minInterval) : NONE;
		}

	}

	/**
	 * One history.
	 */
	private static final class History {

		private final Random random;

		private final KeyQueue queue;

		private final long minInterval;

		private final List<String> log = new ArrayList<>();

		private final Map<ObjectKey, Model> models = new HashMap<>();

		private final Deque<TakenKey> running = new ArrayDeque<>();

		private long now;

		History(long seed) {
			this.random = new Random(seed);
			this.minInterval = this.random.nextBoolean() ? 0 : this.random.nextInt(400);
			this.queue = new KeyQueue(new KeyDelays(Duration.ofMillis(this.minInterval), Duration.ofMillis(PARKED),
					new Retry(Duration.ofMillis(DELAY), 2, Duration.ofMillis(LONGEST), JITTER), this.random));
		}

		void play() {
			for (int i = 0; i < STEPS; i++) {
				switch (this.random.nextInt(20)) {
					case 0, 1, 2, 3, 4, 5 -> change(key());
					case 6, 7, 8, 9 -> this.now += this.random.nextInt(60);
					case 10, 11, 12, 13 -> take();
					case 14, 15, 16, 17 -> end(false);
					case 18 -> evict(key());
					default -> arrive();
				}
			}
			settle();
		}

		private Model model(ObjectKey key) {
			return this.models.computeIfAbsent(key, (any) -> new Model(this.minInterval));
		}

		private ObjectKey key() {
			return new ObjectKey("ns", "k" + this.random.nextInt(KEYS));
		}

		private long nanos() {
			return KeyDelays.ofMillis(this.now);
		}

		private void note(String format, Object... args) {
			this.log.add(this.now + " " + format.formatted(args));
		}

		private void change(ObjectKey key) {
			Model model = model(key);
			int kind = this.random.nextInt(8);
			QueueLane lane = QueueLane.values()[this.random.nextInt(3)];
			note("%s kind %s", key, kind);
			if (kind == 0) {
				boolean absent = model.isAbsent();
				this.queue.resync(key, nanos());
				if (!absent) {
					return;
				}
			}
			else if (kind == 1) {
				this.queue.deleted(key, nanos());
				model.urgent = true;
			}
			else if (kind == 2) {
				this.queue.trigger(key, lane, nanos());
				model.triggered = true;
				model.changed = this.now;
			}
			else {
				this.queue.changed(key, lane, nanos());
			}
			model.changed = (model.changed != Model.NONE) ? model.changed : this.now;
		}

		private void evict(ObjectKey key) {
			Model model = model(key);
			note("%s is evicted", key);
			this.queue.evict(key);
			if (!model.running) {
				this.models.remove(key);
				if (model.parked != null) {
					assertThat(this.queue.arrived(model.parked, nanos())).as("%s is ready", key).isFalse();
				}
			}
		}

		private void take() {
			TakenKey run = this.queue.take(nanos());
			if (run == null) {
				this.models.forEach((key,
						model) -> assertThat(model.running || model.earliest() > this.now
								|| (model.parked != null && model.parked.time + KeyDelays.ofMillis(PARKED) > nanos()))
							.as("%s waits although it is due", key)
							.isTrue());
				return;
			}
			ObjectKey key = run.entry().key;
			Model model = model(key);
			note("%s runs", key);
			assertThat(model.running).as("two runs of %s", key).isFalse();
			if (run.parked() != null) {
				assertThat(model.parked).isSameAs(run.parked());
			}
			else {
				assertThat(model.earliest()).as("start of %s", key).isLessThanOrEqualTo(this.now);
			}
			assertThat(run.attempt()).isEqualTo(model.failures + 1);
			model.parked = null;
			if (this.random.nextInt(5) == 0 && run.parked() == null) {
				model.changed = Math.min(model.changed, this.now);
				model.parked = this.queue.park(run, 1, nanos());
				note("%s is parked", key);
				return;
			}
			model.started(this.now);
			this.running.add(run);
		}

		private void arrive() {
			this.models.forEach((key, model) -> {
				if (model.parked != null && this.random.nextBoolean() && this.queue.arrived(model.parked, nanos())) {
					note("%s arrived", key);
				}
			});
		}

		private void end(boolean well) {
			TakenKey run = this.running.poll();
			if (run == null) {
				return;
			}
			Model model = model(run.entry().key);
			int kind = well ? 0 : this.random.nextInt(8);
			note("%s ended by %s", run.entry().key, kind);
			switch (kind) {
				case 1 -> {
					long delay = 1 + this.random.nextInt(500);
					this.queue.requeueAfter(run, KeyDelays.ofMillis(delay), nanos());
					model.failures = 0;
					model.ended(this.now + delay);
				}
				case 2, 3 -> fail(run, model, (kind == 2) ? 0 : 1 + this.random.nextInt(2000));
				case 4 -> conflict(run, model);
				case 5 -> {
					this.queue.gaveUp(run, FAILURE, nanos());
					model.failures++;
					model.ended(Model.NONE);
				}
				case 6 -> {
					this.queue.returned(run, nanos());
					model.running = false;
					model.triggered = true;
					model.changed = Math.min(model.changed, this.now);
				}
				default -> {
					this.queue.done(run, nanos());
					model.failures = 0;
					model.ended(Model.NONE);
				}
			}
		}

		private void fail(TakenKey run, Model model, long asked) {
			boolean early = model.failures > 0 && model.deadline != Model.NONE && this.now < model.deadline;
			this.queue.failed(run, FAILURE, KeyDelays.ofMillis(asked), nanos());
			long notBefore = Math.min(asked, LONGEST);
			model.failures += early ? 0 : 1;
			// Jitter decides when exactly; whether it is in its bounds is checked here.
			long deadline = (run.entry().deadline + 999_999) / 1_000_000;
			double backoff = Math.min(LONGEST, DELAY * Math.pow(2, model.failures - 1));
			if (early) {
				assertThat(deadline).isEqualTo(Math.max(model.deadline, this.now + notBefore));
			}
			else {
				long least = Math.max(this.now + notBefore, model.lastStart + this.minInterval);
				assertThat(deadline).isBetween(Math.max(this.now + (long) (backoff * (1 - JITTER)), least),
						Math.max(this.now + (long) (backoff * (1 + JITTER)) + 1, least));
			}
			model.running = false;
			model.deadline = deadline;
		}

		private void conflict(TakenKey run, Model model) {
			if (KeyQueue.isFailure(run)) {
				// The table tests have the tenth.
				this.queue.done(run, nanos());
				model.failures = 0;
				model.ended(Model.NONE);
				return;
			}
			this.queue.conflict(run, FAILURE, nanos());
			model.conflict = true;
			model.ended(this.now + 100);
		}

		private void settle() {
			long end = this.now + 5_000;
			while (this.now < end) {
				take();
				end(true);
				arrive();
				this.now += this.random.nextInt(20);
			}
			this.models.forEach((key, model) -> {
				assertThat(model.running).as("run of %s", key).isFalse();
				assertThat(model.earliest()).as("next run of %s", key).isEqualTo(Model.NONE);
			});
			assertThat(this.queue.keys().delayed()).isZero();
			assertThat(this.queue.keys().parked()).isZero();
			long failing = this.models.values().stream().filter((model) -> model.failures > 0).count();
			assertThat(this.queue.keys().failingKeys()).isEqualTo((int) failing);
			assertThat(this.queue.keys().size()).as("keys that are known").isEqualTo((int) failing);
		}

	}

}
