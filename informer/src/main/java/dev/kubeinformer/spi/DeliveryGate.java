package dev.kubeinformer.spi;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Gate between the queue of a handler and the handler. While it is shut, events wait and
 * are merged as in a pause of the handler, of which it is independent. It serves what a
 * handler needs before it can work, such as caches that it reads. A gate is shut at
 * first. All methods may be called from any thread.
 */
public final class DeliveryGate {

	private final ReentrantLock lock = new ReentrantLock();

	private final List<Queue> queues = new ArrayList<>();

	private boolean open;

	/**
	 * Lets events pass. Does nothing if the gate is open.
	 */
	public void open() {
		set(true);
	}

	/**
	 * Holds events back. An event that is being handled is finished. Does nothing if the
	 * gate is shut.
	 */
	public void shut() {
		set(false);
	}

	private void set(boolean open) {
		this.lock.lock();
		try {
			this.open = open;
			this.queues.forEach((queue) -> queue.hold(!open));
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Returns whether events pass.
	 * @return whether the gate is open
	 */
	public boolean isOpen() {
		this.lock.lock();
		try {
			return this.open;
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Puts the gate before a handler. Called by the engine.
	 * @param queue the queue of the handler
	 */
	public void attach(Queue queue) {
		this.lock.lock();
		try {
			queue.hold(!this.open);
			this.queues.add(queue);
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Takes the gate from a handler. Called by the engine.
	 * @param queue the queue that was attached
	 */
	public void detach(Queue queue) {
		this.lock.lock();
		try {
			this.queues.remove(queue);
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * The queue of one handler, as a gate sees it.
	 */
	@FunctionalInterface
	public interface Queue {

		/**
		 * Holds events back or lets them pass.
		 * @param held whether they are held back
		 */
		void hold(boolean held);

	}

}
