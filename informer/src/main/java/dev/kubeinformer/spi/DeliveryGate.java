package dev.kubeinformer.spi;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Gate between the queue of a handler and the handler. While the gate is shut, events
 * wait and are merged, as in a pause of the handler. The gate and a pause are independent
 * of each other. An integration keeps the gate shut until the handler can work, for
 * example until the caches that it reads are synced. A new gate is shut. All methods may
 * be called from any thread.
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
	 * Holds events back. If an event is being handled, the handler finishes it. Does
	 * nothing if the gate is shut.
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
	 * @return {@code true} if the gate is open
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
	 * Attaches the gate to the queue of a handler. Called by the engine.
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
	 * Detaches the gate from the queue of a handler. Called by the engine.
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
	 * Queue of one handler, as the gate sees it.
	 */
	@FunctionalInterface
	public interface Queue {

		/**
		 * Holds events back or lets them pass.
		 * @param held {@code true} to hold events back
		 */
		void hold(boolean held);

	}

}
