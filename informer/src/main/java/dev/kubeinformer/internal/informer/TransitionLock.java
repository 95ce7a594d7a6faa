package dev.kubeinformer.internal.informer;

import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/**
 * The lock of starts and stops. Its holder may wait for callbacks, so that a callback
 * which starts or stops in its turn is refused instead of waiting for its own end.
 */
public final class TransitionLock {

	private final ReentrantLock lock = new ReentrantLock();

	/** Guards the wait of callbacks; nobody waits for anything else while holding it. */
	private final ReentrantLock waits = new ReentrantLock();

	private final Condition changed = this.waits.newCondition();

	private final BooleanSupplier callerIsCallback;

	private final BooleanSupplier holderAwaitsCallbacks;

	/**
	 * Creates a lock.
	 * @param callerIsCallback whether the calling thread is one that the holder may wait
	 * for
	 * @param holderAwaitsCallbacks whether the holder is about to wait for such threads.
	 * It takes no lock. When it becomes true while the lock is held, the holder calls
	 * {@link #refuseCallbacks()}
	 */
	public TransitionLock(BooleanSupplier callerIsCallback, BooleanSupplier holderAwaitsCallbacks) {
		this.callerIsCallback = callerIsCallback;
		this.holderAwaitsCallbacks = holderAwaitsCallbacks;
	}

	/**
	 * Waits for the lock, unless its holder waits for the caller.
	 * @return whether the caller holds the lock now, and is to {@link #leave()}
	 */
	public boolean enter() {
		if (this.lock.tryLock()) {
			return true;
		}
		if (this.callerIsCallback.getAsBoolean()) {
			if (enterUnlessAwaited()) {
				return true;
			}
			// It is none any more where its handler was removed meanwhile.
			if (this.callerIsCallback.getAsBoolean()) {
				return false;
			}
		}
		this.lock.lock();
		return true;
	}

	private boolean enterUnlessAwaited() {
		this.waits.lock();
		try {
			while (!this.lock.tryLock()) {
				if (this.holderAwaitsCallbacks.getAsBoolean()) {
					return false;
				}
				this.changed.awaitUninterruptibly();
			}
			return true;
		}
		finally {
			this.waits.unlock();
		}
	}

	/**
	 * Sends callbacks away that wait for the lock: its holder is about to wait for them.
	 */
	public void refuseCallbacks() {
		wake();
	}

	public void leave() {
		this.lock.unlock();
		wake();
	}

	private void wake() {
		this.waits.lock();
		try {
			this.changed.signalAll();
		}
		finally {
			this.waits.unlock();
		}
	}

}
