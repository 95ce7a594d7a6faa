package dev.kubeinformer.internal.dispatch;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import dev.kubeinformer.internal.store.DeletedObject;
import dev.kubeinformer.internal.store.Delta;
import dev.kubeinformer.internal.store.DeltaSink;
import dev.kubeinformer.internal.store.ObjectStore;
import dev.kubeinformer.internal.store.StoredObject;
import dev.kubeinformer.types.ObjectKey;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

class ResyncScheduleTests {

	private final ObjectStore<String> store = new ObjectStore<>(Set.of(""));

	private final List<String> resynced = new ArrayList<>();

	private final AtomicLong clock = new AtomicLong();

	/**
	 * A tick comes every second at least, however long the period is. Here it never
	 * comes: the tests tick by themselves, and share what they see with no other thread.
	 */
	private final ScheduledThreadPoolExecutor timer = new ScheduledThreadPoolExecutor(1) {

		@Override
		public ScheduledFuture<?> scheduleAtFixedRate(Runnable command, long delay, long period, TimeUnit unit) {
			return super.scheduleAtFixedRate(command, 1, 1, TimeUnit.DAYS);
		}

	};

	private ResyncSchedule<String> schedule;

	@BeforeEach
	void start() {
		this.timer.setRemoveOnCancelPolicy(true);
		this.schedule = new ResyncSchedule<>(this.store, new Sink(), Duration.ofHours(10), this.timer, this.clock::get);
	}

	@AfterEach
	void stop() {
		this.schedule.cancel();
		assertThat(this.timer.shutdownNow()).isEmpty();
	}

	@Test
	void everyObjectComesOncePerPeriodAndSpreadOverIt() {
		fill(100);
		at(Duration.ofHours(10));
		assertThat(this.resynced).isEmpty();
		for (int hour = 11; hour < 20; hour++) {
			at(Duration.ofHours(hour));
			assertThat(this.resynced).hasSize((hour - 10) * 10).doesNotHaveDuplicates();
		}
		at(Duration.ofHours(20));
		assertThat(this.resynced).hasSize(100).doesNotHaveDuplicates();
		at(Duration.ofHours(25));
		assertThat(this.resynced).hasSize(150);
	}

	@Test
	void storedStateOfTheMomentIsDeliveredAndWhatIsGoneIsPassedOver() {
		fill(2);
		at(Duration.ofHours(10));
		this.store.writer("").put(new StoredObject<>("ns", "o1", "u", "9", "o1 new"), "9");
		this.store.writer("").remove(new DeletedObject(new ObjectKey("ns", "o0"), "u", "10"), null, false, "10");
		at(Duration.ofHours(20));
		assertThat(this.resynced).containsExactly("o1 new");
	}

	@Test
	void tickThatFailsIsNotTheLast() throws InterruptedException {
		fill(1);
		AtomicInteger calls = new AtomicInteger();
		CountDownLatch again = new CountDownLatch(1);
		DeltaSink<String> sink = new Sink() {

			@Override
			public void resync(StoredObject<String> object) {
				if (calls.getAndIncrement() == 0) {
					throw new InternalError("no event");
				}
				again.countDown();
			}

		};
		ScheduledThreadPoolExecutor realTimer = new ScheduledThreadPoolExecutor(1);
		realTimer.setRemoveOnCancelPolicy(true);
		try {
			ResyncSchedule<String> ticking = new ResyncSchedule<>(this.store, sink, Duration.ofMillis(20), realTimer,
					System::nanoTime);
			assertThat(again.await(60, TimeUnit.SECONDS)).isTrue();
			ticking.cancel();
			// A tick that is under way may be put into the queue once more, to be passed
			// over when it is due.
			await().until(() -> realTimer.getActiveCount() == 0 && realTimer.getQueue().isEmpty());
		}
		finally {
			realTimer.shutdownNow();
		}
	}

	@Test
	void nothingIsDueBeforeTheFirstFullState() {
		this.store.writer("").put(new StoredObject<>("ns", "o1", "u", "9", "o1"), "9");
		at(Duration.ofHours(10));
		at(Duration.ofHours(19));
		assertThat(this.resynced).isEmpty();
	}

	@Test
	void whatStaysComesOnceAndInNoBurstThoughOthersComeAndGo() {
		fill(1000);
		at(Duration.ofHours(10));
		int before = 0;
		int burst = 0;
		for (int minute = 1; minute <= 600; minute++) {
			// Nine times as many come in the first half, half of the first ones go in the
			// second.
			int from = 1000 + 30 * (minute - 1);
			for (int i = from; minute <= 300 && i < from + 30; i++) {
				this.store.writer("").put(new StoredObject<>("ns", "o" + i, "u", "1", "o" + i), "9");
			}
			int gone = 2 * (minute - 301);
			for (int i = gone; minute > 300 && i < Math.min(gone + 2, 500); i++) {
				this.store.writer("")
					.remove(new DeletedObject(new ObjectKey("ns", "o" + i), "u", "10"), null, false, "10");
			}
			at(Duration.ofMinutes(600 + minute));
			burst = Math.max(burst, this.resynced.size() - before);
			before = this.resynced.size();
		}
		assertThat(this.resynced).doesNotHaveDuplicates()
			.containsAll(IntStream.range(500, 1000).mapToObj((i) -> "o" + i).toList());
		assertThat(burst).isLessThan(100);
	}

	@Test
	void objectThatTheSinkFailsOnIsTheNextOne() {
		fill(3);
		AtomicInteger calls = new AtomicInteger();
		List<String> taken = new ArrayList<>();
		ResyncSchedule<String> failing = new ResyncSchedule<>(this.store, new Sink() {

			@Override
			public void resync(StoredObject<String> object) {
				if (calls.incrementAndGet() == 2) {
					throw new InternalError("no event");
				}
				taken.add(object.object());
			}

		}, Duration.ofHours(10), this.timer, this.clock::get);
		this.clock.set(Duration.ofHours(10).toNanos());
		failing.tick();
		this.clock.set(Duration.ofHours(19).toNanos());
		assertThatExceptionOfType(InternalError.class).isThrownBy(failing::tick);
		failing.tick();
		assertThat(taken).containsExactlyInAnyOrder("o0", "o1", "o2");
		failing.cancel();
	}

	private void fill(int count) {
		this.store.writer("")
			.replace(IntStream.range(0, count)
				.mapToObj((i) -> new StoredObject<>("ns", "o" + i, "u", "1", "o" + i))
				.toList(), List.of(), false, "5", false);
	}

	private void at(Duration time) {
		this.clock.set(time.toNanos());
		this.schedule.tick();
	}

	private class Sink implements DeltaSink<String> {

		@Override
		public void delta(Delta<String> delta) {
			throw new IllegalStateException("not attached");
		}

		@Override
		public void resync(StoredObject<String> object) {
			ResyncScheduleTests.this.resynced.add(object.object());
		}

		@Override
		public void initialStateComplete() {
			throw new IllegalStateException("not attached");
		}

		@Override
		public void initialStateReset() {
			throw new IllegalStateException("not attached");
		}

	}

}
