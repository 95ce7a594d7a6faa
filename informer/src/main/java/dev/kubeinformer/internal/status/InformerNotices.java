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
 * The pending notifications of one informer's listeners. Changes that happen under a lock
 * are noted there, and published in their order by the thread that leaves it.
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
	 * Returns whether there is a listener.
	 * @return whether a notification is worth the effort
	 */
	public boolean hasListeners() {
		return !this.listeners.isEmpty();
	}

	/**
	 * Notifies listeners at once, out of turn. The caller holds no lock.
	 * @param notice the notification
	 */
	public void publish(BiConsumer<InformerListener, Informer<?>> notice) {
		this.listeners.publish((listener) -> notice.accept(listener, this.informer));
	}

	/**
	 * Notes a notification that is to be published in turn. It neither blocks nor calls
	 * anybody.
	 * @param notice the notification
	 */
	public void add(BiConsumer<InformerListener, Informer<?>> notice) {
		if (hasListeners()) {
			this.pending.add(notice);
		}
	}

	/**
	 * Logs a warning that the API server answered a list or watch with, and notes its
	 * notification.
	 * @param text the warning, escaped and cut
	 */
	public void warned(String text) {
		this.warnings.warned(this.informer.spec().type().name(), text);
		add((listener, informer) -> listener.warningReceived(informer, text));
	}

	/**
	 * Publishes what was noted, unless another thread does so. The caller holds no lock.
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
