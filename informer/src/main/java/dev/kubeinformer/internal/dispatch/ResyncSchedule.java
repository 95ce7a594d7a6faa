package dev.kubeinformer.internal.dispatch;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

import dev.kubeinformer.internal.store.DeltaSink;
import dev.kubeinformer.internal.store.ObjectStore;
import dev.kubeinformer.types.ObjectKey;

/**
 * Resync of one handler: within each period every stored object is queued once more. The
 * objects are spread over the period instead of coming in one burst. No request is made
 * for it.
 *
 * @param <T> the model class
 */
public final class ResyncSchedule<T> {

	private static final long LONGEST_TICK = TimeUnit.SECONDS.toNanos(1);

	private static final int TICKS = 20;

	private final ObjectStore<T> store;

	private final DeltaSink<T> sink;

	private final long period;

	private final LongSupplier nanoTime;

	private final ScheduledFuture<?> ticks;

	private final Recovery recovery = new Recovery();

	private List<ObjectKey> keys = List.of();

	private int queued;

	private long cycleStart;

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
		this.period = period.toNanos();
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
			queueUpTo(this.keys.size());
			List<ObjectKey> next = this.store.hasFullState() ? this.store.keys() : List.of();
			this.cycleStart = now - (now - this.cycleStart) % this.period;
			this.keys = next;
			this.queued = 0;
		}
		double elapsed = (double) (now - this.cycleStart) / this.period;
		queueUpTo((int) Math.ceil(this.keys.size() * elapsed));
	}

	private void queueUpTo(int due) {
		this.store.resync(this.sink, this.keys.subList(this.queued, due));
		this.queued = due;
	}

	/**
	 * Ends the resync.
	 */
	public void cancel() {
		this.ticks.cancel(false);
	}

}
