package dev.kubeinformer;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiConsumer;

/**
 * What listeners are to be told of one informer. Changes that happen under a lock are
 * noted there, and told in their order by whoever comes out of it.
 */
final class InformerNotices {

	private final Informer<?> informer;

	private final InformerListeners listeners;

	private final Queue<BiConsumer<InformerListener, Informer<?>>> waiting = new ConcurrentLinkedQueue<>();

	private final ReentrantLock telling = new ReentrantLock();

	InformerNotices(Informer<?> informer, InformerListeners listeners) {
		this.informer = informer;
		this.listeners = listeners;
	}

	/**
	 * Whether anybody listens.
	 * @return whether it is worth the effort to tell
	 */
	boolean isHeard() {
		return !this.listeners.isEmpty();
	}

	/**
	 * Tells at once, out of turn. The caller holds no lock.
	 * @param notice what to tell
	 */
	void tell(BiConsumer<InformerListener, Informer<?>> notice) {
		this.listeners.tell((listener) -> notice.accept(listener, this.informer));
	}

	/**
	 * Notes what is to be told in turn. It neither blocks nor calls anybody.
	 * @param notice what to tell
	 */
	void add(BiConsumer<InformerListener, Informer<?>> notice) {
		if (isHeard()) {
			this.waiting.add(notice);
		}
	}

	/**
	 * Tells what was noted, unless another thread is about it. The caller holds no lock.
	 */
	void deliver() {
		while (!this.waiting.isEmpty() && !this.telling.isHeldByCurrentThread() && this.telling.tryLock()) {
			try {
				BiConsumer<InformerListener, Informer<?>> notice = this.waiting.poll();
				while (notice != null) {
					tell(notice);
					notice = this.waiting.poll();
				}
			}
			finally {
				this.telling.unlock();
			}
		}
	}

}
