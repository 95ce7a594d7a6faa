package dev.kubeinformer.internal.informer;

import java.util.concurrent.atomic.AtomicBoolean;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.kubeinformer.internal.transport.Fence;
import dev.kubeinformer.leader.Leadership;
import dev.kubeinformer.leader.LeadershipLostException;

/**
 * Fence of one term of leadership. It goes down when the term is lost or given up, and
 * also when the clocks say that it is over and nobody else has noticed yet. Safe for use
 * by several threads.
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
	 * Creates a fence that is up.
	 * @param owner whose term it is; its text names the reconciler or handler in the log
	 * @param leadership the leadership
	 * @param term the term
	 * @param whenOver called once when the fence goes down, by any thread, also by one
	 * that runs; it must be quick
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
		return new LeadershipLostException("%s was refused, because term %d is over in which the run of '%s' began"
			.formatted(what, this.term.number(), this.owner));
	}

	/**
	 * Lets no further run begin.
	 */
	public void drain() {
		this.draining = true;
	}

	/**
	 * Takes the fence down.
	 */
	public void end() {
		if (this.over.compareAndSet(false, true)) {
			this.whenOver.run();
		}
	}

	/**
	 * Returns whether no run may begin any more.
	 * @return whether it is down, or drains
	 */
	public boolean isClosing() {
		return this.draining || this.over.get();
	}

	/**
	 * Returns whether it was made for somebody.
	 * @param other who asks
	 * @return whether that is its owner
	 */
	public boolean isOf(Object other) {
		return this.owner == other;
	}

	@Override
	public String toString() {
		return "term %d of '%s'".formatted(this.term.number(), this.owner);
	}

}
