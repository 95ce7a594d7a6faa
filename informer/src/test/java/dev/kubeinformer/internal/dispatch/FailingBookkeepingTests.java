package dev.kubeinformer.internal.dispatch;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

import dev.kubeinformer.handler.HandledEvent;
import dev.kubeinformer.handler.HandlerOptions;
import dev.kubeinformer.internal.store.Delta;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Errors around a handler, such as an OutOfMemoryError: no thread ends because of them,
 * no event is lost, and no processed event is delivered again. Each history is played
 * with an error at its first point, its second and so on. JUnit gives up at an
 * OutOfMemoryError, so another error stands for it.
 */
class FailingBookkeepingTests {

	/** A failed event of a history. */
	private static final String FAILING = "b";

	private final ScheduledThreadPoolExecutor realTimer = new ScheduledThreadPoolExecutor(1);

	private final Logger failures = (Logger) LoggerFactory.getLogger(HandlerDispatcher.class);

	@BeforeEach
	void failSilently() {
		this.failures.setLevel(Level.OFF);
	}

	@AfterEach
	void stop() {
		this.failures.setLevel(null);
		this.realTimer.shutdownNow();
	}

	@Test
	void noReadingOfTheClockIsOneTooMany() {
		for (int point = 1; new History(point, 0).play(); point++) {
			assertThat(point).isLessThan(1000);
		}
	}

	@Test
	void noCallOfTheListenerIsOneTooMany() {
		for (int point = 1; new History(0, point).play(); point++) {
			assertThat(point).isLessThan(1000);
		}
	}

	@Test
	void retryComesThoughItsAlarmCouldNotBeSet() {
		AtomicBoolean threads = new AtomicBoolean();
		ScheduledThreadPoolExecutor timer = new ScheduledThreadPoolExecutor(1) {

			@Override
			public ScheduledFuture<?> schedule(Runnable command, long delay, TimeUnit unit) {
				if (!threads.getAndSet(true)) {
					throw new InternalError("unable to create native thread");
				}
				return FailingBookkeepingTests.this.realTimer.schedule(command, delay, unit);
			}

		};
		List<Integer> attempts = new CopyOnWriteArrayList<>();
		HandlerDispatcher<Note> dispatcher = new HandlerDispatcher<>((event) -> {
			attempts.add(event.attempt());
			if (event.attempt() == 1) {
				throw new IllegalStateException();
			}
		}, HandlerOptions.defaults().withRetry((failures, cause) -> Duration.ofMillis(1)), new InactiveListener(),
				new HandlerDispatcher.Context(TestDispatchers.CLUSTER, Thread::new, System::nanoTime,
						TestDispatchers.LOG));
		dispatcher.start(timer);
		dispatcher.sink().delta(Events.initial("a", 1));
		await().untilAsserted(() -> assertThat(attempts).containsExactly(1, 2));
		dispatcher.close(Duration.ofSeconds(5));
		timer.shutdownNow();
	}

	/**
	 * A few events, one of which fails once, with an error at one point.
	 */
	private static final class History extends InactiveListener {

		private final ManualTimer timer = new ManualTimer();

		private final AtomicInteger readings = new AtomicInteger();

		private final AtomicInteger calls = new AtomicInteger();

		private final List<String> handled = new CopyOnWriteArrayList<>();

		private final int reading;

		private final int call;

		private final HandlerDispatcher<Note> dispatcher;

		private volatile boolean struck;

		History(int reading, int call) {
			this.reading = reading;
			this.call = call;
			AtomicBoolean failed = new AtomicBoolean();
			this.dispatcher = new HandlerDispatcher<>((event) -> {
				if (event.object().name().equals(FAILING) && !failed.getAndSet(true)) {
					throw new IllegalStateException();
				}
				this.handled.add(event.object().toString());
			}, HandlerOptions.defaults().withQueueCapacity(3).withRetry((failures, cause) -> Duration.ofSeconds(1)),
					this, new HandlerDispatcher.Context(TestDispatchers.CLUSTER, Thread::new, this::nanoTime,
							TestDispatchers.LOG));
		}

		/**
		 * Plays the history.
		 * @return {@code true} if there was a point to fail at
		 */
		boolean play() {
			this.dispatcher.start(this.timer);
			put(Events.initial("a", 1));
			put(Events.initial(FAILING, 2));
			put(Events.initial("c", 3));
			persist(this.dispatcher.sink()::initialStateComplete);
			put(Events.updated("a", 1, 4));
			put(Events.updated("c", 3, 5));
			await().alias("error at reading %d or call %d: %s".formatted(this.reading, this.call, this.handled))
				.pollInterval(Duration.ofMillis(5))
				.untilAsserted(() -> {
					this.timer.advance(Duration.ofSeconds(2));
					assertThat(this.dispatcher.status().queue().size()).isZero();
					assertThat(this.dispatcher.status().handling()).isNull();
					assertThat(this.dispatcher.status().sync().syncedAt()).isNotNull();
					assertThat(this.dispatcher.status().sync().pendingInitial()).isZero();
				});
			assertThat(of("a")).endsWith("a:4").doesNotHaveDuplicates().isSubsetOf("a:1", "a:4");
			assertThat(of("b")).containsExactly("b:2");
			assertThat(of("c")).endsWith("c:5").doesNotHaveDuplicates().isSubsetOf("c:3", "c:5");
			this.dispatcher.close(Duration.ofSeconds(5));
			return this.struck;
		}

		private List<String> of(String name) {
			return this.handled.stream().filter((each) -> each.startsWith(name)).toList();
		}

		// As the store does, by its next list.
		private void put(Delta<Note> delta) {
			persist(() -> this.dispatcher.sink().delta(delta));
		}

		private void persist(Runnable change) {
			try {
				change.run();
			}
			catch (InternalError ex) {
				change.run();
			}
		}

		private long nanoTime() {
			strikeAt(this.readings, this.reading);
			return this.timer.nanoTime();
		}

		private void strikeAt(AtomicInteger count, int point) {
			if (count.incrementAndGet() == point) {
				this.struck = true;
				throw new InternalError("at point " + point);
			}
		}

		@Override
		public boolean isActive() {
			strikeAt(this.calls, this.call);
			return true;
		}

		@Override
		public void synced() {
			strikeAt(this.calls, this.call);
		}

		@Override
		public void handled(HandledEvent event) {
			strikeAt(this.calls, this.call);
		}

		@Override
		public void settled() {
			strikeAt(this.calls, this.call);
		}

	}

}
