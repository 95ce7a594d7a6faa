package dev.kubeinformer;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

import dev.kubeinformer.internal.dispatch.HandlerDispatcher;

/**
 * Gate between the queue of a handler and the handler: while it is shut, events wait and
 * are merged as in a {@link HandlerRegistration#pause() pause}, of which it is
 * independent. It is made for what a handler needs before it can work, as caches that it
 * reads. A gate is shut at first. All methods may be called from any thread.
 *
 * @see HandlerOptions#withGate(DeliveryGate)
 */
public final class DeliveryGate {

	private final ReentrantLock lock = new ReentrantLock();

	private final List<HandlerDispatcher<?>> dispatchers = new ArrayList<>();

	private boolean open;

	/**
	 * Lets events go on. Does nothing if it is open.
	 */
	public void open() {
		set(true);
	}

	/**
	 * Holds events back. An event that is being handled is finished. Does nothing if it
	 * is shut.
	 */
	public void shut() {
		set(false);
	}

	private void set(boolean open) {
		this.lock.lock();
		try {
			this.open = open;
			this.dispatchers.forEach((dispatcher) -> dispatcher.hold(!open));
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Whether events go on.
	 * @return whether it is open
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

	void attach(HandlerDispatcher<?> dispatcher) {
		this.lock.lock();
		try {
			dispatcher.hold(!this.open);
			this.dispatchers.add(dispatcher);
		}
		finally {
			this.lock.unlock();
		}
	}

	void detach(HandlerDispatcher<?> dispatcher) {
		this.lock.lock();
		try {
			this.dispatchers.remove(dispatcher);
		}
		finally {
			this.lock.unlock();
		}
	}

}
