package dev.kubeinformer;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Work that is done by the clock: what a busy machine is late with, it makes up for.
 */
final class Pace implements AutoCloseable {

	private final ScheduledExecutorService executor;

	Pace(int threads) {
		this.executor = Executors.newScheduledThreadPool(threads);
	}

	/**
	 * Does some work again and again.
	 * @param period the time from one beginning to the next
	 * @param duration how long
	 * @param work the work; a failure ends it
	 * @return its end
	 */
	CompletableFuture<Void> every(Duration period, Duration duration, Runnable work) {
		AtomicLong left = new AtomicLong(duration.dividedBy(period));
		CompletableFuture<Void> end = new CompletableFuture<>();
		Future<?> task = this.executor.scheduleAtFixedRate(() -> {
			if (end.isDone()) {
				return;
			}
			try {
				work.run();
				if (left.decrementAndGet() <= 0) {
					end.complete(null);
				}
			}
			catch (RuntimeException | Error ex) {
				end.completeExceptionally(ex);
			}
		}, period.toNanos(), period.toNanos(), TimeUnit.NANOSECONDS);
		end.whenComplete((nothing, ex) -> task.cancel(false));
		return end;
	}

	@Override
	public void close() {
		this.executor.shutdownNow();
	}

}
