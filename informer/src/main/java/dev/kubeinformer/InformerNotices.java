package dev.kubeinformer;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiConsumer;

/**
 * The pending notifications of one informer's listeners. Changes that happen under a lock
 * are noted there, and published in their order by the thread that leaves it.
 */
final class InformerNotices {

	private final Informer<?> informer;

	private final InformerListeners listeners;

	private final Queue<BiConsumer<InformerListener, Informer<?>>> pending = new ConcurrentLinkedQueue<>();

	private final ReentrantLock publishing = new ReentrantLock();

	InformerNotices(Informer<?> informer, InformerListeners listeners) {
		this.informer = informer;
		this.listeners = listeners;
	}

	/**
	 * Returns the id of the informer.
	 * @return the id
	 */
	String informerId() {
		return this.informer.id();
	}

	/**
	 * Returns whether there is a listener.
	 * @return whether a notification is worth the effort
	 */
	boolean hasListeners() {
		return !this.listeners.isEmpty();
	}

	/**
	 * Notifies listeners at once, out of turn. The caller holds no lock.
	 * @param notice the notification
	 */
	void publish(BiConsumer<InformerListener, Informer<?>> notice) {
		this.listeners.publish((listener) -> notice.accept(listener, this.informer));
	}

	/**
	 * Notes a notification that is to be published in turn. It neither blocks nor calls
	 * anybody.
	 * @param notice the notification
	 */
	void add(BiConsumer<InformerListener, Informer<?>> notice) {
		if (hasListeners()) {
			this.pending.add(notice);
		}
	}

	/**
	 * Publishes what was noted, unless another thread does so. The caller holds no lock.
	 */
	void deliver() {
		while (!this.pending.isEmpty() && !this.publishing.isHeldByCurrentThread() && this.publishing.tryLock()) {
			try {
				BiConsumer<InformerListener, Informer<?>> notice = this.pending.poll();
				while (notice != null) {
					publish(notice);
					notice = this.pending.poll();
				}
			}
			finally {
				this.publishing.unlock();
			}
		}
	}

}
