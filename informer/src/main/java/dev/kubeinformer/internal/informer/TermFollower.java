package dev.kubeinformer.internal.informer;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.leader.LeaderWork;
import dev.kubeinformer.leader.Leadership;

/**
 * Follows the terms of a leadership for a reconciler or a handler. A term is a time in
 * which this process leads. Holds the fence of the latest term, which says whether writes
 * are still allowed. Safe for use by several threads.
 */
public abstract class TermFollower implements LeaderWork {

	private final Leadership leadership;

	private volatile @Nullable ReconcilerFence current;

	private volatile boolean shut;

	private volatile boolean left;

	/** Registration at the leadership; guarded by this. */
	private Leadership.@Nullable Registration registration;

	/**
	 * Creates a follower. It follows the leadership once {@link #register()} is called.
	 * @param leadership the leadership
	 */
	protected TermFollower(Leadership leadership) {
		this.leadership = leadership;
	}

	/** Begins to follow. The caller must not hold a lock. */
	public void register() {
		// A mock of the leadership may return null.
		Leadership.@Nullable Registration made = this.leadership.register(this);
		synchronized (this) {
			this.registration = made;
		}
		if (this.left) {
			leave();
		}
	}

	/** Stops following. The caller must not hold a lock. */
	protected final void leave() {
		this.left = true;
		Leadership.Registration last;
		synchronized (this) {
			last = this.registration;
			this.registration = null;
		}
		if (last != null) {
			last.close();
		}
	}

	/**
	 * Returns whether this follower has stopped following.
	 * @return {@code true} if {@link #leave()} was called
	 */
	public final boolean hasLeft() {
		return this.left;
	}

	/**
	 * Prevents further terms from beginning here; the first step of the end of this
	 * follower.
	 */
	public final void shut() {
		this.shut = true;
	}

	/**
	 * Returns whether the end has begun.
	 * @return {@code true} if no further term begins
	 */
	protected final boolean isShut() {
		return this.shut;
	}

	@Override
	public void granted(Leadership.Term term) {
		if (this.shut) {
			return;
		}
		ReconcilerFence last = this.current;
		ReconcilerFence next = new ReconcilerFence(this, this.leadership, term, this::over);
		this.current = next;
		if (last != null) {
			cut(last);
		}
		began(next);
	}

	@Override
	public void lost() {
		ReconcilerFence last = this.current;
		if (last != null) {
			cut(last);
		}
	}

	private void cut(ReconcilerFence fence) {
		fence.end();
		abandon(fence);
	}

	/**
	 * Begins the work of a term.
	 * @param fence the fence of the term
	 */
	protected abstract void began(ReconcilerFence fence);

	/**
	 * Interrupts the work of a term that is over. Must be quick.
	 * @param fence the fence of the term
	 */
	protected abstract void abandon(ReconcilerFence fence);

	/**
	 * Called when the fence of a term begins to forbid writes, by the thread that noticed
	 * the end of the term. Must be quick.
	 */
	protected void over() {
	}

	/**
	 * Returns the fence of the latest term.
	 * @return the fence; {@code null} before the first term
	 */
	protected final @Nullable ReconcilerFence fence() {
		return this.current;
	}

	/**
	 * Returns the leadership.
	 * @return the leadership
	 */
	protected final Leadership leadership() {
		return this.leadership;
	}

}
