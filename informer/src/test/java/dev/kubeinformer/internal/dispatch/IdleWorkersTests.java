package dev.kubeinformer.internal.dispatch;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Workers that have nothing to do end, and others take their place when there is
 * something. Nothing is lost in between.
 */
class IdleWorkersTests {

	@RegisterExtension
	final TestDispatchers dispatchers = new TestDispatchers();

	@Test
	void workerIsStartedByTheNextEvent() {
		HandlerDispatcher<Note> dispatcher = this.dispatchers.startIdle(this.dispatchers::record, 1);
		for (int i = 0; i < 3; i++) {
			dispatcher.sink().delta(Events.added("o" + i, 1));
			awaitHandled(i + 1);
			this.dispatchers.awaitThreads();
		}
		assertThat(this.dispatchers.handled()).containsExactly("+o0:1", "+o1:1", "+o2:1");
		assertThat(this.dispatchers.threads()).hasSize(4);
	}

	@Test
	void asManyWorkersAreStartedAsThereIsWorkForAtATime() {
		HandlerDispatcher<Note> dispatcher = this.dispatchers.startIdle((event) -> {
			if (Events.describe(event).equals("+slow:1")) {
				this.dispatchers.passGate();
			}
			this.dispatchers.record(event);
		}, 2);
		dispatcher.sink().delta(Events.added("slow", 1));
		dispatcher.sink().delta(Events.added("fast", 1));
		this.dispatchers.timer().advance(Duration.ZERO);
		this.dispatchers.awaitBlocked();
		awaitHandled(1);
		this.dispatchers.release();
		awaitHandled(2);
		assertThat(this.dispatchers.handled()).containsExactly("+fast:1", "+slow:1");
	}

	@Test
	void stopHandlesWhatWaitsForAWorkerToBeStarted() {
		HandlerDispatcher<Note> dispatcher = this.dispatchers.startIdle(this.dispatchers::record, 2);
		dispatcher.sink().delta(Events.added("a", 1));
		dispatcher.sink().delta(Events.added("b", 1));
		dispatcher.drain(Duration.ofSeconds(30));
		TestDispatchers.end(dispatcher);
		// Each may have had a worker of its own.
		assertThat(this.dispatchers.handled()).containsExactlyInAnyOrder("+a:1", "+b:1");
		assertThat(this.dispatchers.threads()).noneMatch(Thread::isAlive);
		// The timer comes too late, and starts nothing.
		this.dispatchers.timer().advance(Duration.ZERO);
		assertThat(this.dispatchers.threads()).noneMatch(Thread::isAlive);
		dispatcher.sink().delta(Events.added("later", 1));
		this.dispatchers.start(dispatcher);
		awaitHandled(3);
	}

	@Test
	void closeHandlesWhatWaitsForAWorkerToBeStarted() {
		HandlerDispatcher<Note> dispatcher = this.dispatchers.startIdle(this.dispatchers::record, 1);
		dispatcher.sink().delta(Events.added("a", 1));
		dispatcher.close(Duration.ofSeconds(30));
		assertThat(this.dispatchers.handled()).containsExactly("+a:1");
		assertThat(this.dispatchers.dropped()).isEmpty();
		this.dispatchers.timer().advance(Duration.ZERO);
	}

	@Test
	void closeAfterADrainStartsNoSecondWorker() {
		HandlerDispatcher<Note> dispatcher = this.dispatchers.startIdle(this.dispatchers::block, 1);
		dispatcher.sink().delta(Events.added("a", 1));
		dispatcher.sink().delta(Events.added("b", 1));
		dispatcher.drain(Duration.ofSeconds(30));
		this.dispatchers.awaitBlocked();
		dispatcher.drain(Duration.ofSeconds(30));
		assertThat(this.dispatchers.threads()).hasSize(2);
		this.dispatchers.release();
		dispatcher.close(Duration.ofSeconds(30));
		assertThat(this.dispatchers.handled()).containsExactly("+a:1", "+b:1");
	}

	@Test
	void stopHandlesWhatWaitsByAsManyWorkersAsThereAre() {
		HandlerDispatcher<Note> dispatcher = this.dispatchers.startIdle((event) -> {
			if (Events.describe(event).equals("+slow:1")) {
				this.dispatchers.passGate();
			}
			this.dispatchers.record(event);
		}, 2);
		dispatcher.sink().delta(Events.added("slow", 1));
		dispatcher.sink().delta(Events.added("fast", 1));
		dispatcher.drain(Duration.ofSeconds(30));
		this.dispatchers.awaitBlocked();
		await().until(() -> this.dispatchers.handled().contains("+fast:1"));
		this.dispatchers.release();
		dispatcher.close(Duration.ofSeconds(30));
		assertThat(this.dispatchers.handled()).containsExactly("+fast:1", "+slow:1");
	}

	@Test
	void workerAsksForTheNextOneAlthoughItsStartHasNotReturned() {
		HandlerDispatcher<Note> dispatcher = this.dispatchers.startIdle((event) -> {
			this.dispatchers.passGate();
			this.dispatchers.record(event);
		}, (failures, cause) -> null, 2, (work) -> this.dispatchers.register(new Thread(work) {

			@Override
			public void start() {
				super.start();
				if (IdleWorkersTests.this.dispatchers.threads().size() == 3) {
					IdleWorkersTests.this.dispatchers.awaitBlocked();
				}
			}

		}));
		dispatcher.sink().delta(Events.added("a", 1));
		dispatcher.sink().delta(Events.added("b", 1));
		this.dispatchers.timer().advance(Duration.ZERO);
		await().untilAsserted(() -> {
			this.dispatchers.timer().advance(Recovery.PAUSE);
			assertThat(dispatcher.status().queue().size()).isZero();
		});
		this.dispatchers.release();
		awaitHandled(2);
	}

	@Test
	void laterWorkersAreLikeThoseOfTheStart() throws InterruptedException {
		HandlerDispatcher<Note> dispatcher = this.dispatchers.startIdle(this.dispatchers::record, 1);
		ClassLoader loader = new ClassLoader(null) {
		};
		dispatcher.sink().delta(Events.added("a", 1));
		Thread timer = new Thread(() -> {
			Thread.currentThread().setContextClassLoader(loader);
			this.dispatchers.timer().advance(Duration.ZERO);
		});
		timer.setDaemon(true);
		timer.start();
		timer.join();
		awaitHandled(1);
		assertThat(this.dispatchers.threads()).hasSize(2).noneMatch(Thread::isDaemon);
		assertThat(this.dispatchers.loaders()).doesNotContain(loader);
	}

	@Test
	void stopWithoutTimeLeavesWhatWaitsForTheNextStart() {
		HandlerDispatcher<Note> dispatcher = this.dispatchers.startIdle(this.dispatchers::record, 1);
		dispatcher.sink().delta(Events.added("a", 1));
		dispatcher.drain(Duration.ZERO);
		TestDispatchers.end(dispatcher);
		assertThat(dispatcher.status().queue().size()).isEqualTo(1);
		this.dispatchers.start(dispatcher);
		awaitHandled(1);
	}

	@Test
	void workerThatCannotBeStartedIsTriedAgain() {
		AtomicInteger asked = new AtomicInteger();
		HandlerDispatcher<Note> dispatcher = this.dispatchers.startIdle(this.dispatchers::record,
				(failures, cause) -> null, 1, (work) -> {
					if (List.of(2, 3).contains(asked.incrementAndGet())) {
						throw new OutOfMemoryError("unable to create native thread");
					}
					return this.dispatchers.newThread(work);
				});
		dispatcher.sink().delta(Events.added("a", 1));
		this.dispatchers.timer().advance(Recovery.PAUSE);
		assertThat(asked).hasValue(3);
		assertThat(this.dispatchers.handled()).isEmpty();
		awaitHandled(1);
	}

	@Test
	void workerStaysWhereNoOtherCouldBeStarted() {
		AtomicInteger refused = new AtomicInteger();
		ScheduledThreadPoolExecutor withoutThreads = new ScheduledThreadPoolExecutor(1) {

			@Override
			public void execute(Runnable command) {
				refused.incrementAndGet();
				throw new OutOfMemoryError("unable to create native thread");
			}

		};
		HandlerDispatcher<Note> dispatcher = this.dispatchers.createIdle(this.dispatchers::record, 1);
		dispatcher.start(withoutThreads);
		await().until(() -> refused.get() > 1);
		dispatcher.sink().delta(Events.added("a", 1));
		await().untilAsserted(() -> assertThat(this.dispatchers.handled()).containsExactly("+a:1"));
		assertThat(this.dispatchers.threads()).hasSize(1);
	}

	@Test
	void workerIsStartedWhenEventsGoOnAfterAPause() {
		HandlerDispatcher<Note> dispatcher = this.dispatchers.startIdle(this.dispatchers::record, 1);
		dispatcher.pause(true);
		dispatcher.sink().delta(Events.added("a", 1));
		this.dispatchers.timer().advance(Recovery.PAUSE);
		assertThat(this.dispatchers.threads()).hasSize(1);
		dispatcher.pause(false);
		awaitHandled(1);
		this.dispatchers.awaitThreads();
		dispatcher.hold(true);
		dispatcher.sink().delta(Events.added("b", 1));
		this.dispatchers.timer().advance(Recovery.PAUSE);
		assertThat(this.dispatchers.threads()).hasSize(2);
		dispatcher.hold(false);
		awaitHandled(2);
	}

	@Test
	void workerIsStartedWhenARetryIsDue() {
		AtomicInteger attempts = new AtomicInteger();
		HandlerDispatcher<Note> dispatcher = this.dispatchers.startIdle((event) -> {
			if (attempts.incrementAndGet() == 1) {
				throw new IllegalStateException("not yet");
			}
			this.dispatchers.record(event);
		}, (failures, cause) -> Duration.ofMinutes(1), 1, this.dispatchers::newThread);
		dispatcher.sink().delta(Events.added("a", 1));
		this.dispatchers.timer().advance(Duration.ZERO);
		await().until(() -> dispatcher.status().deliveries().failed() == 1);
		this.dispatchers.awaitThreads();
		this.dispatchers.timer().advance(Duration.ofMinutes(1));
		awaitHandled(1);
	}

	private void awaitHandled(int events) {
		await().untilAsserted(() -> {
			this.dispatchers.timer().advance(Recovery.PAUSE);
			assertThat(this.dispatchers.handled()).hasSize(events);
		});
	}

}
