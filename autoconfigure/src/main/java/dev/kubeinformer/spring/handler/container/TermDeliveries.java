package dev.kubeinformer.spring.handler.container;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;

import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.kubeinformer.handler.EventHandler;
import dev.kubeinformer.handler.ResourceEvent;
import dev.kubeinformer.leader.Leadership;

/**
 * Deliveries to a leader-only handler. Each belongs to a term of this replica: when that
 * is over, it is dropped, and what it throws is no failure.
 */
final class TermDeliveries {

	private static final Logger logger = LoggerFactory.getLogger(TermDeliveries.class);

	private final Leadership leadership;

	/** The term of the delivery that a thread has under way. */
	private final ThreadLocal<Leadership.@Nullable Term> term = new ThreadLocal<>();

	private final ReentrantLock lock = new ReentrantLock();

	private final Condition ended = this.lock.newCondition();

	/** Guarded by the lock. */
	private int underWay;

	/** What is done once nothing is under way; guarded by the lock. */
	private List<Runnable> afterwards = List.of();

	TermDeliveries(Leadership leadership) {
		this.leadership = leadership;
	}

	Leadership leadership() {
		return this.leadership;
	}

	/**
	 * Returns a handler that is called only if the term of the delivery holds right
	 * before. It is the innermost of what decorates the handler.
	 * @param <T> the model class
	 * @param handler the handler
	 * @return the handler with the check
	 */
	<T extends KubernetesObject> EventHandler<T> checked(EventHandler<T> handler) {
		return (event) -> {
			Leadership.Term current = this.term.get();
			if ((current != null) ? holds(current) : this.leadership.isLeader()) {
				handler.handle(event);
			}
		};
	}

	/**
	 * Returns a handler whose deliveries belong to a term. It is the outermost of what
	 * decorates the handler.
	 * @param <T> the model class
	 * @param current the term
	 * @param handler the decorated handler
	 * @return the handler in that term
	 */
	<T extends KubernetesObject> EventHandler<T> during(Leadership.Term current, EventHandler<T> handler) {
		return (event) -> {
			if (holds(current)) {
				begin();
				this.term.set(current);
				try {
					deliver(current, handler, event);
				}
				finally {
					this.term.remove();
					end();
				}
			}
		};
	}

	private <T extends KubernetesObject> void deliver(Leadership.Term current, EventHandler<T> handler,
			ResourceEvent<T> event) throws Exception {
		try {
			handler.handle(event);
		}
		catch (Exception ex) {
			if (holds(current)) {
				throw ex;
			}
			// It was interrupted, or what it used refused it.
			logger.debug("A delivery failed after its term {} was over", current.number(), ex);
		}
	}

	private boolean holds(Leadership.Term current) {
		return this.leadership.isLeader() && this.leadership.holds(current);
	}

	private void begin() {
		this.lock.lock();
		try {
			this.underWay++;
		}
		finally {
			this.lock.unlock();
		}
	}

	private void end() {
		List<Runnable> due = List.of();
		this.lock.lock();
		try {
			this.underWay--;
			this.ended.signalAll();
			if (this.underWay == 0) {
				due = this.afterwards;
				this.afterwards = List.of();
			}
		}
		finally {
			this.lock.unlock();
		}
		due.forEach(Runnable::run);
	}

	/**
	 * Does something once no delivery is under way: now, or by the thread of the last of
	 * them.
	 * @param action what is done; it must be quick
	 */
	void whenQuiet(Runnable action) {
		this.lock.lock();
		try {
			if (this.underWay > 0) {
				this.afterwards = Stream.concat(this.afterwards.stream(), Stream.of(action)).toList();
				return;
			}
		}
		finally {
			this.lock.unlock();
		}
		action.run();
	}

	/**
	 * Waits until no delivery is under way.
	 * @param limit how long to wait at most
	 * @return whether none is
	 * @throws InterruptedException if the thread is interrupted
	 */
	boolean awaitQuiet(Duration limit) throws InterruptedException {
		long left = TimeUnit.NANOSECONDS.convert(limit);
		this.lock.lockInterruptibly();
		try {
			while (this.underWay > 0 && left > 0) {
				left = this.ended.awaitNanos(left);
			}
			return this.underWay == 0;
		}
		finally {
			this.lock.unlock();
		}
	}

	boolean isQuiet() {
		this.lock.lock();
		try {
			return this.underWay == 0;
		}
		finally {
			this.lock.unlock();
		}
	}

}
