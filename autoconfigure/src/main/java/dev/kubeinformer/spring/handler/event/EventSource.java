package dev.kubeinformer.spring.handler.event;

import dev.kubeinformer.informer.InformerListener;

/**
 * Source of one type of application event, from a start to the next stop. It listens to
 * informers on their threads, and publishes on the {@link EventThread}.
 */
public interface EventSource extends InformerListener {

	/**
	 * Catches up with everything that happened before this source was added as a
	 * listener. Called once, after it was added to the informers.
	 */
	default void begin() {
	}

}
