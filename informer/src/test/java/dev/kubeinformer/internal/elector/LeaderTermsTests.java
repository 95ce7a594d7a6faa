package dev.kubeinformer.internal.elector;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.kubeinformer.ElectorRig;
import dev.kubeinformer.RecordedWork;
import dev.kubeinformer.internal.election.ElectionRules;
import dev.kubeinformer.internal.election.ElectionSignals;
import dev.kubeinformer.internal.election.EndReason;
import dev.kubeinformer.internal.election.HeldTerm;
import dev.kubeinformer.leader.LeaderSpec;
import dev.kubeinformer.leader.LeaderWork;
import dev.kubeinformer.leader.Leadership;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Terms one after the other, with work that ignores interrupts and ends late.
 */
class LeaderTermsTests {

	private final ElectorThreads threads = new ElectorThreads("terms");

	/** Gate that holds hanging calls until it is opened. */
	private volatile CountDownLatch gate = new CountDownLatch(1);

	@AfterEach
	void open() {
		CountDownLatch present = this.gate;
		this.gate = new CountDownLatch(1);
		present.countDown();
	}

	private void hang() {
		hang(() -> {
		});
	}

	/**
	 * Waits for the next opening.
	 * @param begun is called as soon as an opening counts
	 */
	private void hang(Runnable begun) {
		CountDownLatch until = this.gate;
		begun.run();
		boolean open = false;
		while (!open) {
			try {
				until.await();
				open = true;
			}
			catch (InterruptedException ex) {
				// It does not mind.
				continue;
			}
		}
	}

	private static Leadership.Term term(int number) {
		return new Leadership.Term(number, Instant.EPOCH, Instant.EPOCH);
	}

	@Test
	void drainThatEndsInTheNextTermShouldNotEndThat() throws Exception {
		CountDownLatch draining = new CountDownLatch(1);
		RecordedWork work = new RecordedWork() {

			@Override
			public boolean drain() throws InterruptedException {
				super.drain();
				hang(draining::countDown);
				return true;
			}

		};
		SerialLeaderWork lane = new SerialLeaderWork(work, this.threads);
		lane.grant(term(1));
		CompletableFuture<Boolean> late = lane.drain();
		draining.await();
		lane.lose();
		lane.grant(term(2));
		open();
		assertThat(late.get(60, TimeUnit.SECONDS)).isFalse();
		ElectorRig.await().until(() -> work.calls.contains("granted 2"));
		lane.lose();
		ElectorRig.await().until(() -> work.calls.equals(List.of("granted 1", "drain", "lost", "granted 2", "lost")));
	}

	@Test
	void termThatIsLostBeforeItsGrantShouldNotBegin() {
		CountDownLatch first = new CountDownLatch(1);
		RecordedWork work = new RecordedWork() {

			@Override
			public void granted(Leadership.Term term) {
				super.granted(term);
				if (term.number() == 1) {
					hang(first::countDown);
				}
			}

		};
		SerialLeaderWork lane = new SerialLeaderWork(work, this.threads);
		lane.grant(term(1));
		ElectorRig.await().until(() -> first.getCount() == 0);
		lane.lose();
		lane.grant(term(2));
		lane.lose();
		lane.grant(term(3));
		open();
		ElectorRig.await().until(() -> work.calls.equals(List.of("granted 1", "lost", "granted 3")));
	}

	@Test
	void closedLaneShouldAnswerDrainsThatWereNotAsked() throws Exception {
		CountDownLatch granted = new CountDownLatch(1);
		RecordedWork work = new RecordedWork() {

			@Override
			public void granted(Leadership.Term term) {
				hang(granted::countDown);
			}

		};
		SerialLeaderWork lane = new SerialLeaderWork(work, this.threads);
		lane.grant(term(1));
		granted.await();
		CompletableFuture<Boolean> drained = lane.drain();
		lane.close();
		assertThat(drained).isCompletedWithValue(true);
	}

	@Test
	void taskShouldWaitForAllBeforeItWhenOneBetweenIsInterrupted() throws Exception {
		List<Long> begun = new CopyOnWriteArrayList<>();
		LeaderTaskRunner task = new LeaderTaskRunner("task", (term) -> hang(() -> begun.add(term.number())),
				this.threads);
		task.granted(term(1));
		ElectorRig.await().until(() -> begun.equals(List.of(1L)));
		task.lost();
		task.granted(term(2));
		CompletableFuture<Boolean> drained = CompletableFuture.supplyAsync(() -> {
			try {
				return task.drain();
			}
			catch (InterruptedException ex) {
				return false;
			}
		});
		ElectorRig.await().during(Duration.ofMillis(100)).until(() -> !drained.isDone() && begun.equals(List.of(1L)));
		open();
		assertThat(drained.get(60, TimeUnit.SECONDS)).isTrue();
		assertThat(begun).containsExactly(1L);
	}

	@Test
	void closedTaskShouldNotBegin() throws Exception {
		List<Long> begun = new CopyOnWriteArrayList<>();
		LeaderTaskRunner task = new LeaderTaskRunner("task", (term) -> begun.add(term.number()), this.threads);
		task.lost();
		task.close();
		task.granted(term(1));
		assertThat(task.drain()).isTrue();
		assertThat(begun).isEmpty();
	}

	@Test
	void workShouldBeCalledWhenThereAreThreadsAgain() {
		AtomicInteger attempts = new AtomicInteger();
		this.threads.begin(() -> {
			if (attempts.incrementAndGet() == 1) {
				throw new OutOfMemoryError("unable to create native thread");
			}
		});
		ElectorRig.await().until(() -> attempts.get() == 2);
	}

	@ParameterizedTest
	@ValueSource(longs = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20 })
	void randomTermsShouldEachEndOnce(long seed) {
		Random random = new Random(seed);
		LeaderSpec spec = LeaderSpec.of("default", "terms").withDrainTimeout(Duration.ofSeconds(5));
		ElectorClocks clocks = ElectorClocks.system();
		TermLifecycle leading = new TermLifecycle(spec.renewDeadline(), spec.drainTimeout(), clocks,
				new ElectionRules(), this.threads, new LeaseReporter(spec, clocks));
		List<LateWork> works = new ArrayList<>();
		List<SerialLeaderWork> lanes = new ArrayList<>();
		for (int i = 0; i < 3; i++) {
			LateWork work = new LateWork(random.nextLong());
			works.add(work);
			lanes.add(leading.add(work));
		}
		AtomicInteger tasks = new AtomicInteger();
		AtomicInteger besides = new AtomicInteger();
		LeaderTaskRunner task = new LeaderTaskRunner("task", (term) -> {
			if (tasks.incrementAndGet() > 1) {
				besides.incrementAndGet();
			}
			hang();
			tasks.decrementAndGet();
		}, this.threads);
		leading.add(task);
		for (int number = 1; number <= 10; number++) {
			HeldTerm held = new HeldTerm(number, clocks.now(), clocks.read());
			leading.granted(held);
			if (random.nextBoolean()) {
				open();
			}
			if (random.nextInt(10) == 0) {
				leading.remove(lanes.get(2));
			}
			int kind = random.nextInt(3);
			if (kind > 0) {
				leading.drain(EndReason.YIELDED);
			}
			boolean well = false;
			if (kind == 2) {
				ElectorRig.await().until(() -> {
					open();
					return leading.drain() != ElectionSignals.Drain.UNDER_WAY;
				});
				well = leading.drain() == ElectionSignals.Drain.DONE;
			}
			if (well) {
				assertThat(tasks).as("tasks after a drain, seed %s", seed).hasValue(0);
				works.subList(0, 2).forEach((work) -> assertThat(work.inTerm).as("seed %s", seed).isFalse());
			}
			leading.revoked(held, EndReason.YIELDED);
		}
		ElectorRig.await().until(() -> {
			open();
			return tasks.get() == 0 && works.subList(0, 2).stream().noneMatch((work) -> work.inTerm);
		});
		assertThat(besides).as("tasks beside each other, seed %s", seed).hasValue(0);
		works.forEach((work) -> assertThat(work.faults).as("seed %s", seed).isEmpty());
	}

	/**
	 * Work that ends late, and watches how it is called.
	 */
	private final class LateWork implements LeaderWork {

		final List<String> faults = new CopyOnWriteArrayList<>();

		private final AtomicInteger calls = new AtomicInteger();

		private final Random random;

		/** Granted, and neither drained well nor lost. */
		volatile boolean inTerm;

		private boolean ended;

		LateWork(long seed) {
			this.random = new Random(seed);
		}

		private void enter(String what) {
			if (this.calls.incrementAndGet() > 1) {
				this.faults.add(what + " beside another call");
			}
			if (this.random.nextInt(3) == 0) {
				hang();
			}
		}

		@Override
		public void granted(Leadership.Term term) {
			if (this.inTerm) {
				this.faults.add("granted " + term.number() + " in a term");
			}
			this.inTerm = true;
			this.ended = false;
			enter("granted");
			this.calls.decrementAndGet();
		}

		@Override
		public boolean drain() {
			enter("drain");
			boolean well = this.random.nextInt(3) > 0;
			if (well) {
				this.inTerm = false;
			}
			this.calls.decrementAndGet();
			return well;
		}

		@Override
		public void lost() {
			enter("lost");
			if (this.ended) {
				this.faults.add("lost twice");
			}
			this.ended = true;
			this.inTerm = false;
			this.calls.decrementAndGet();
		}

	}

}
