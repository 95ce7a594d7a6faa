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
 * Resync of one handler: within each period every stored object is queued once more. The
 * objects are spread over the period instead of coming in one burst. No request is made
 * for it. What is stored for a whole period comes once in it; what comes or goes
 * meanwhile may come or not. No list of the objects is made.
 *
 * @param <T> the model class
 */
public final class ResyncSchedule<T> {

	private static final long LONGEST_TICK = TimeUnit.SECONDS.toNanos(1);

	private static final int TICKS = 20;

	/** Of sums of parts, which are not exact. */
	private static final double ROUNDING = 1e-6;

	private final ObjectStore<T> store;

	private final DeltaSink<T> sink;

	private final long period;

	private final LongSupplier nanoTime;

	private final ScheduledFuture<?> ticks;

	private final Recovery recovery = new Recovery();

	private long cycleStart;

	/** That of the present period; {@code null} if nothing was there to walk over. */
	private @Nullable StoreWalk<T> walk;

	/** How many objects there were at the start of the period. */
	private int size;

	/** The part of the period that had passed at the last tick. */
	private double elapsed;

	/** How many objects were due at the last tick. */
	private double due;

	private int queued;

	/**
	 * Starts the resync.
	 * @param store the store
	 * @param sink the handler's queue
	 * @param period the period
	 * @param timer runs the ticks
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

	// A timer gives up what throws.
	private void tickOrReport() {
		try {
			tick();
		}
		catch (RuntimeException | Error ex) {
			// What was due is queued by the next tick.
			this.recovery.report(ex);
		}
	}

	/**
	 * Queues what is due.
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
		// What comes or goes meanwhile changes the pace, and makes no burst.
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
