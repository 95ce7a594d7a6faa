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
 * Limits the number of reflectors that read a full state at once. A slot is the
 * permission to do so. If a reflector holds its slot for too long, because its list hangs
 * or is slow, the slot is lent to another reflector: slow namespaces must not delay the
 * others. The slow lists continue, so up to four times the limit may be read at once. If
 * even more lists are slow, for example after an outage, the server itself is the
 * bottleneck.
 */
public final class SyncSlots {

	/**
	 * Maximum number of concurrent lists including slow ones, as a multiple of the limit.
	 */
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
	 * @param limit the number of slots
	 * @param patience the time after which a slot is lent to another reflector
	 * @param nanoTime the clock
	 */
	public SyncSlots(int limit, Duration patience, LongSupplier nanoTime) {
		this.limit = limit;
		this.patience = patience.toNanos();
		this.nanoTime = nanoTime;
	}

	/**
	 * Waits for a slot.
	 * @param stopped returns whether the slot is not needed any more
	 * @return the slot
	 * @throws InterruptedException if the thread is interrupted or {@code stopped} holds
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
	 * Permission to read a full state.
	 */
	final class Slot {

		private final long acquiredAt = SyncSlots.this.nanoTime.getAsLong();

		/** Releases the slot. A second call does nothing. */
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
