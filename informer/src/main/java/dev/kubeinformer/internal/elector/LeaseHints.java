package dev.kubeinformer.internal.elector;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

import dev.kubeinformer.internal.failure.Failure;
import dev.kubeinformer.internal.text.Durations;
import dev.kubeinformer.leader.LeaderSpec;
import dev.kubeinformer.types.Problem;

/**
 * Watch of the Lease, which says early that it is worth a look. The election works
 * without it, only later: it may be forbidden, and is not relied on.
 */
final class LeaseHints implements Runnable {

	private static final Duration WATCH = Duration.ofMinutes(5);

	/** How soon a watch that was forbidden is tried again. */
	private static final Duration FORBIDDEN = Duration.ofMinutes(1);

	private static final Duration SHORTEST = Duration.ofSeconds(1);

	private final LeaderSpec spec;

	private final LeaseLink link;

	private final LeaseBoard board;

	private final Consumer<String> hints;

	private final CountDownLatch stopped = new CountDownLatch(1);

	LeaseHints(LeaderSpec spec, LeaseLink link, LeaseBoard board, Consumer<String> hints) {
		this.spec = spec;
		this.link = link;
		this.board = board;
		this.hints = hints;
	}

	@Override
	public void run() {
		try {
			Duration pause = watchOrSurvive();
			while (!this.stopped.await(Durations.nanos(pause), TimeUnit.NANOSECONDS)) {
				pause = watchOrSurvive();
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	/**
	 * Watches the Lease, and goes on after any failure: nothing else starts this thread
	 * again.
	 * @return how long to wait before the next watch
	 */
	private Duration watchOrSurvive() {
		try {
			return watch();
		}
		catch (RuntimeException | Error ex) {
			// For example OutOfMemoryError, while a failure was noted.
			return this.spec.retryPeriod();
		}
	}

	private Duration watch() {
		long start = System.nanoTime();
		try {
			this.link.watch(WATCH, (holder) -> {
				this.board.succeeded("watch");
				this.hints.accept(holder);
			});
			this.board.succeeded("watch");
			Duration lasted = Duration.ofNanos(System.nanoTime() - start);
			return (lasted.compareTo(SHORTEST) < 0) ? SHORTEST : Duration.ZERO;
		}
		catch (IOException ex) {
			if (this.stopped.getCount() == 0) {
				return Duration.ZERO;
			}
			Failure failure = Failure.of(ex);
			this.board.failed("watch", failure);
			return (failure.problem() == Problem.FORBIDDEN) ? FORBIDDEN : this.spec.retryPeriod();
		}
		catch (RuntimeException | Error ex) {
			// Also that of an interceptor of the application, or of a missing class.
			this.board.failed("watch", Failure.unexpected(ex));
			return this.spec.retryPeriod();
		}
	}

	/**
	 * Ends the watch, once the requests of its link are ended.
	 */
	void stop() {
		this.stopped.countDown();
	}

}
