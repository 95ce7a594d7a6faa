package dev.kubeinformer.internal.informer;

import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/**
 * Lock that a thread holds while it starts or stops something. It may wait until
 * callbacks have ended. If such a callback starts or stops something itself, it is
 * rejected, because it would wait for its own end.
 */
public final class TransitionLock {

	private final ReentrantLock lock = new ReentrantLock();

	/** Lock for callbacks that wait for this lock. Never held during another wait. */
	private final ReentrantLock waits = new ReentrantLock();

	private final Condition changed = this.waits.newCondition();

	private final BooleanSupplier callerIsCallback;

	private final BooleanSupplier holderAwaitsCallbacks;

	/**
	 * Creates a lock.
	 * @param callerIsCallback returns {@code true} if the calling thread runs a callback,
	 * for which the holder of the lock may wait
	 * @param holderAwaitsCallbacks returns {@code true} if the holder is about to wait
	 * for callbacks. The function acquires no lock. When its result becomes true while
	 * the lock is held, the holder must call {@link #refuseCallbacks()}
	 */
	public TransitionLock(BooleanSupplier callerIsCallback, BooleanSupplier holderAwaitsCallbacks) {
		this.callerIsCallback = callerIsCallback;
		this.holderAwaitsCallbacks = holderAwaitsCallbacks;
	}

	/**
	 * Waits for the lock, unless its holder waits for the caller.
	 * @return {@code true} if the caller now holds the lock and must {@link #leave()}
	 */
	public boolean enter() {
		if (this.lock.tryLock()) {
			return true;
		}
		if (this.callerIsCallback.getAsBoolean()) {
			if (enterUnlessAwaited()) {
				return true;
			}
			// The caller is no longer a callback if its handler was removed meanwhile.
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
	 * Rejects callbacks that wait for the lock, because its holder is about to wait for
	 * them.
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
