package dev.kubeinformer.internal.status;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiConsumer;
import java.util.function.LongSupplier;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.kubeinformer.informer.Informer;
import dev.kubeinformer.informer.InformerListener;
import dev.kubeinformer.internal.http.WarningLog;

/**
 * Pending notifications for the listeners of one informer. Code that holds a lock must
 * not call listeners, so it only adds notifications here. They are published in order
 * after the lock was released.
 */
public final class InformerNotices {

	private static final Logger logger = LoggerFactory.getLogger(Informer.class);

	private final Informer<?> informer;

	private final InformerListeners listeners;

	private final Queue<BiConsumer<InformerListener, Informer<?>>> pending = new ConcurrentLinkedQueue<>();

	private final ReentrantLock publishing = new ReentrantLock();

	private final WarningLog warnings;

	public InformerNotices(Informer<?> informer, InformerListeners listeners, LongSupplier nanoTime) {
		this.informer = informer;
		this.listeners = listeners;
		this.warnings = new WarningLog(logger, () -> "Informer '%s'".formatted(informer.id()), nanoTime);
	}

	/**
	 * Returns the id of the informer.
	 * @return the id
	 */
	public String informerId() {
		return this.informer.id();
	}

	/**
	 * Returns whether a listener is registered.
	 * @return {@code true} if a notification has a receiver
	 */
	public boolean hasListeners() {
		return !this.listeners.isEmpty();
	}

	/**
	 * Notifies listeners at once, without regard to the order. The caller must not hold a
	 * lock.
	 * @param notice the notification
	 */
	public void publish(BiConsumer<InformerListener, Informer<?>> notice) {
		this.listeners.publish((listener) -> notice.accept(listener, this.informer));
	}

	/**
	 * Adds a notification that is published in order. Neither blocks nor calls listeners.
	 * @param notice the notification
	 */
	public void add(BiConsumer<InformerListener, Informer<?>> notice) {
		if (hasListeners()) {
			this.pending.add(notice);
		}
	}

	/**
	 * Logs a warning that the API server has sent with the response to a list or watch,
	 * and adds a notification of it.
	 * @param text the escaped and shortened warning
	 */
	public void warned(String text) {
		this.warnings.warned(this.informer.spec().type().name(), text);
		add((listener, informer) -> listener.warningReceived(informer, text));
	}

	/**
	 * Publishes the added notifications, unless another thread is doing so. The caller
	 * must not hold a lock.
	 */
	public void deliver() {
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
