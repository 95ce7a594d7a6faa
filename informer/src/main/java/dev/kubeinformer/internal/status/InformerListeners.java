package dev.kubeinformer.internal.status;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.kubeinformer.informer.InformerListener;

/**
 * Listeners of an application's informers. If one listener throws an exception, the other
 * listeners and the informers are not affected.
 */
public final class InformerListeners {

	private static final Logger logger = LoggerFactory.getLogger(InformerListener.class);

	private final List<InformerListener> listeners;

	private final FailureLog failures;

	public InformerListeners(List<InformerListener> listeners, LongSupplier nanoTime) {
		this.listeners = new CopyOnWriteArrayList<>(listeners);
		this.failures = new FailureLog(logger, nanoTime);
	}

	public void add(InformerListener listener) {
		this.listeners.add(listener);
	}

	public void remove(InformerListener listener) {
		this.listeners.remove(listener);
	}

	public boolean contains(Object listener) {
		return this.listeners.contains(listener);
	}

	boolean isEmpty() {
		return this.listeners.isEmpty();
	}

	void publish(Consumer<InformerListener> notice) {
		for (InformerListener listener : this.listeners) {
			try {
				notice.accept(listener);
			}
			catch (Throwable ex) {
				this.failures.failed("Listener '%s' of informers failed".formatted(listener.getClass().getName()), ex);
			}
		}
	}

}
