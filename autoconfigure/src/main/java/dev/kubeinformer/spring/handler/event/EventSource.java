package dev.kubeinformer.spring.handler.event;

import dev.kubeinformer.informer.InformerListener;

/**
 * Publishes one type of application event, from a start of the context to the next stop.
 * Informers notify this listener on their own threads, and the listener publishes on the
 * {@link EventThread}.
 */
public interface EventSource extends InformerListener {

	/**
	 * Called once, after this source was added as a listener to the informers. Publishes
	 * events for everything that has happened before.
	 */
	default void begin() {
	}

}
