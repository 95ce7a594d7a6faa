package dev.kubeinformer.internal.reflector;

import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * Bound on how many reflectors read a full state at once. A slot that is held for too
 * long is lent on, whether the list hangs or trickles: slow namespaces must not hold up
 * the others. The slow lists go on, so that more than the limit may be read then, up to
 * four times as many: where all are slow, such as after an outage, the server is what is
 * slow.
 */
public final class SyncSlots {

	/** How many times the limit may be read at once, with the slow ones. */
	private static final long MOST = 4;

	private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

	private final ReentrantLock lock = new ReentrantLock();

	private final Condition released = this.lock.newCondition();

	private final Set<Slot> slots = new HashSet<>();

	private final int limit;

	private final long patience;

	private final LongSupplier nanoTime;

	/**
	 * Creates the slots.
	 * @param limit their number
	 * @param patience the time after which a slot is lent on
	 * @param nanoTime the clock
	 */
	public SyncSlots(int limit, Duration patience, LongSupplier nanoTime) {
		this.limit = limit;
		this.patience = patience.toNanos();
		this.nanoTime = nanoTime;
	}

	/**
	 * Waits for a slot.
	 * @param stopped whether there is no use in waiting any more
	 * @return the slot
	 * @throws InterruptedException if the thread is interrupted, or if stopped
	 */
	Slot acquire(BooleanSupplier stopped) throws InterruptedException {
		this.lock.lockInterruptibly();
		try {
			while (busy() >= this.limit || this.slots.size() >= MOST * this.limit) {
				if (stopped.getAsBoolean()) {
					throw new InterruptedException("stopped");
				}
				this.released.awaitNanos(POLL_NANOS);
			}
			Slot slot = new Slot();
			this.slots.add(slot);
			return slot;
		}
		finally {
			this.lock.unlock();
		}
	}

	private long busy() {
		long now = this.nanoTime.getAsLong();
		return this.slots.stream().filter((slot) -> now - slot.acquiredAt < this.patience).count();
	}

	/**
	 * Right to read a full state.
	 */
	final class Slot {

		private final long acquiredAt = SyncSlots.this.nanoTime.getAsLong();

		/**
		 * Gives the slot back; the second time does nothing.
		 */
		void release() {
			SyncSlots.this.lock.lock();
			try {
				if (SyncSlots.this.slots.remove(this)) {
					SyncSlots.this.released.signal();
				}
			}
			finally {
				SyncSlots.this.lock.unlock();
			}
		}

	}

}
