package dev.kubeinformer;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/**
 * The lock of starts and stops. Its holder may wait for callbacks, so that a callback
 * which starts or stops in its turn is refused instead of waiting for its own end.
 */
final class TransitionLock {

	private static final long ROUND = TimeUnit.MILLISECONDS.toNanos(10);

	private final ReentrantLock lock = new ReentrantLock();

	private final BooleanSupplier callerIsCallback;

	private final BooleanSupplier holderAwaitsCallbacks;

	/**
	 * Creates a lock.
	 * @param callerIsCallback whether the calling thread is one that the holder may wait
	 * for
	 * @param holderAwaitsCallbacks whether the holder is about to wait for such threads
	 */
	TransitionLock(BooleanSupplier callerIsCallback, BooleanSupplier holderAwaitsCallbacks) {
		this.callerIsCallback = callerIsCallback;
		this.holderAwaitsCallbacks = holderAwaitsCallbacks;
	}

	/**
	 * Waits for the lock, unless its holder waits for the caller.
	 * @return whether the caller holds the lock now, and is to {@link #leave()}
	 */
	boolean enter() {
		while (!this.lock.tryLock()) {
			if (!this.callerIsCallback.getAsBoolean()) {
				this.lock.lock();
				return true;
			}
			if (this.holderAwaitsCallbacks.getAsBoolean()) {
				return false;
			}
			// The holder may begin to wait at any time.
			LockSupport.parkNanos(this, ROUND);
		}
		return true;
	}

	void leave() {
		this.lock.unlock();
	}

}
