package dev.kubeinformer.spring.handler.event;

import dev.kubeinformer.informer.InformerListener;

/**
 * Source of one kind of application event, from a start to the stop that follows. It
 * listens to informers on their threads, and decides and publishes on the
 * {@link EventThread}.
 */
public interface EventSource extends InformerListener {

	/**
	 * Takes in what happened before this source was a listener. Called once, after it was
	 * added to the informers.
	 */
	default void begin() {
	}

}
