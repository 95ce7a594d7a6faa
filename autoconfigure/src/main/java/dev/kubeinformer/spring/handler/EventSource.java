package dev.kubeinformer.spring.handler;

import dev.kubeinformer.InformerListener;

/**
 * Source of one kind of application event, from a start to the stop that follows. It
 * listens to informers on their threads, and decides and publishes on the
 * {@link EventThread}.
 */
interface EventSource extends InformerListener {

	/**
	 * Takes in what happened before this source was a listener. Called once, after it was
	 * added to the informers.
	 */
	default void begin() {
	}

}
