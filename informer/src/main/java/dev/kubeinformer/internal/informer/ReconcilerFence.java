package dev.kubeinformer.internal.informer;

import java.util.concurrent.atomic.AtomicBoolean;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.kubeinformer.internal.transport.Fence;
import dev.kubeinformer.leader.Leadership;
import dev.kubeinformer.leader.LeadershipLostException;

/**
 * Says whether the runs of one term may still write. A term is a time in which this
 * process leads. Writes are allowed until the term is lost or given up, or the clock
 * shows that the term is over, even if nobody has reported this. From then on, they are
 * forbidden. Safe for use by several threads.
 */
public final class ReconcilerFence implements Fence {

	private static final Logger logger = LoggerFactory.getLogger(Leadership.class);

	private final Object owner;

	private final Leadership leadership;

	private final Leadership.Term term;

	private final Runnable whenOver;

	private final AtomicBoolean over = new AtomicBoolean();

	private volatile boolean draining;

	/**
	 * Creates a fence that allows runs and writes.
	 * @param owner the owner of the term; its text names the reconciler or handler in the
	 * log
	 * @param leadership the leadership
	 * @param term the term
	 * @param whenOver called once when the fence begins to forbid writes. Any thread may
	 * call it, including the thread of a run. It must be quick
	 */
	ReconcilerFence(Object owner, Leadership leadership, Leadership.Term term, Runnable whenOver) {
		this.owner = owner;
		this.leadership = leadership;
		this.term = term;
		this.whenOver = whenOver;
	}

	@Override
	public boolean admitsRuns() {
		return !this.draining && admitsRequests();
	}

	@Override
	public boolean admitsRequests() {
		if (!this.over.get() && !holds()) {
			end();
		}
		return !this.over.get();
	}

	private boolean holds() {
		try {
			return this.leadership.holds(this.term);
		}
		catch (Throwable ex) {
			logger.error("{}: the leadership cannot say whether it holds term {}, which counts as lost", this.owner,
					this.term.number(), ex);
			return false;
		}
	}

	@Override
	public LeadershipLostException refusal(String what) {
		return new LeadershipLostException("%s was rejected, because term %d has ended, in which the run of '%s' began"
			.formatted(what, this.term.number(), this.owner));
	}

	/**
	 * Returns the number of the term.
	 * @return the number
	 */
	public long term() {
		return this.term.number();
	}

	/** Prevents further runs from beginning. */
	public void drain() {
		this.draining = true;
	}

	/**
	 * Forbids runs and writes from now on.
	 */
	public void end() {
		if (this.over.compareAndSet(false, true)) {
			this.whenOver.run();
		}
	}

	/**
	 * Returns whether no further run may begin.
	 * @return {@code true} if no further run may begin
	 */
	public boolean isClosing() {
		return this.draining || this.over.get();
	}

	/**
	 * Returns whether the fence belongs to an owner.
	 * @param other the owner
	 * @return {@code true} if it is the owner of the term
	 */
	public boolean isOf(Object other) {
		return this.owner == other;
	}

	@Override
	public String toString() {
		return "term %d of '%s'".formatted(this.term.number(), this.owner);
	}

}
