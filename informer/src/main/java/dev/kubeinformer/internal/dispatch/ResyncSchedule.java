package dev.kubeinformer.internal.dispatch;

import java.time.Duration;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.internal.store.DeltaSink;
import dev.kubeinformer.internal.store.ObjectStore;
import dev.kubeinformer.internal.store.StoreWalk;
import dev.kubeinformer.internal.text.Durations;

/**
 * Resync of one handler: delivers each cached object once in each period, even if it has
 * not changed. The objects are spread over the period instead of arriving in one burst. A
 * resync does not send a request and does not copy the list of objects. An object that
 * exists for the whole period is queued once; objects added or deleted during the period
 * may be skipped.
 *
 * @param <T> the model class
 */
public final class ResyncSchedule<T> {

	private static final long LONGEST_TICK = TimeUnit.SECONDS.toNanos(1);

	private static final int TICKS = 20;

	/** Tolerance for the rounding errors of a sum of fractions. */
	private static final double ROUNDING = 1e-6;

	private final ObjectStore<T> store;

	private final DeltaSink<T> sink;

	private final long period;

	private final LongSupplier nanoTime;

	private final ScheduledFuture<?> ticks;

	private final Recovery recovery = new Recovery();

	private long cycleStart;

	/**
	 * Iteration over the objects in the current period; {@code null} if the store was
	 * empty.
	 */
	private @Nullable StoreWalk<T> walk;

	/** Number of objects at the start of the period. */
	private int size;

	/** Fraction of the period that had elapsed at the last tick. */
	private double elapsed;

	/** Number of objects that had become due in the period by the last tick. */
	private double due;

	private int queued;

	/**
	 * Starts the resync.
	 * @param store the store
	 * @param sink the handler's queue
	 * @param period the period
	 * @param timer the timer that runs the ticks
	 * @param nanoTime the clock
	 */
	public ResyncSchedule(ObjectStore<T> store, DeltaSink<T> sink, Duration period, ScheduledExecutorService timer,
			LongSupplier nanoTime) {
		this.store = store;
		this.sink = sink;
		this.period = Durations.nanos(period);
		this.nanoTime = nanoTime;
		this.cycleStart = nanoTime.getAsLong();
		long tick = Math.max(1, Math.min(LONGEST_TICK, this.period / TICKS));
		this.ticks = timer.scheduleAtFixedRate(this::tickOrReport, tick, tick, TimeUnit.NANOSECONDS);
	}

	// A timer cancels a task that throws.
	private void tickOrReport() {
		try {
			tick();
		}
		catch (RuntimeException | Error ex) {
			// The next tick queues the due objects.
			this.recovery.report(ex);
		}
	}

	/**
	 * Queues the due objects.
	 */
	void tick() {
		long now = this.nanoTime.getAsLong();
		if (now - this.cycleStart >= this.period) {
			queue(Integer.MAX_VALUE);
			this.walk = this.store.hasFullState() ? this.store.walk() : null;
			this.cycleStart = now - (now - this.cycleStart) % this.period;
			this.size = this.store.snapshot().size();
			this.elapsed = 0;
			this.due = 0;
			this.queued = 0;
		}
		double next = (double) (now - this.cycleStart) / this.period;
		// Objects that are added or deleted during the period change the pace instead of
		// causing a burst.
		double left = Math.max(0, Math.max(this.size, this.store.snapshot().size()) - this.due);
		double nextDue = this.due + left * (next - this.elapsed) / (1 - this.elapsed);
		queue((int) Math.ceil(nextDue - ROUNDING) - this.queued);
		this.elapsed = next;
		this.due = nextDue;
	}

	private void queue(int count) {
		StoreWalk<T> present = this.walk;
		if (present != null && count > 0) {
			this.store.resync(this.sink, present, count);
			this.queued += count;
		}
	}

	/**
	 * Ends the resync.
	 */
	public void cancel() {
		this.ticks.cancel(false);
	}

}
