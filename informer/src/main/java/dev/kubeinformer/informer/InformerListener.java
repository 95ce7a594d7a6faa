package dev.kubeinformer.informer;

import java.time.Duration;

import dev.kubeinformer.handler.HandledEvent;
import dev.kubeinformer.handler.HandlerRegistration;
import dev.kubeinformer.handler.HandlerStatus;
import dev.kubeinformer.types.InformerState;
import dev.kubeinformer.types.ListReason;
import dev.kubeinformer.types.WatchEndReason;
import dev.kubeinformer.types.WatchEventType;

/**
 * Listener to the actions of informers and their handlers, for example to record metrics
 * or publish application events. Notifications never contain contents of objects.
 * <p>
 * Methods are called on threads of the engine, and on the threads of callers that start,
 * stop, add or remove something. They are called outside the engine's locks, and
 * concurrently. They must return quickly, because the informer or handler waits for them.
 * An exception is logged and otherwise ignored. Notifications about the lifecycle, lists
 * and watches of one informer are ordered; notifications about events are ordered per
 * handler and object.
 * <p>
 * Some values have no notifications, such as the size of a cache or the number of merged
 * events. They are in {@link InformerStatus} and {@link HandlerStatus}.
 *
 * @see dev.kubeinformer.Informers.Builder#listener(InformerListener)
 * @see dev.kubeinformer.Informers#addListener(InformerListener)
 */
public interface InformerListener {

	/**
	 * Called when an informer was requested for the first time, before it starts.
	 * @param informer the informer
	 */
	default void informerAdded(Informer<?> informer) {
	}

	/**
	 * Called when an informer was removed because its last lease was closed.
	 * @param informer the informer
	 */
	default void informerRemoved(Informer<?> informer) {
	}

	/**
	 * Called when the state of an informer changed.
	 * @param informer the informer
	 * @param before the previous state
	 * @param now the new state
	 */
	default void stateChanged(Informer<?> informer, InformerState before, InformerState now) {
	}

	/**
	 * Called when the cache of an informer holds all objects for the first time since the
	 * last start.
	 * @param informer the informer
	 * @param duration the time since that start
	 */
	default void synced(Informer<?> informer, Duration duration) {
	}

	/**
	 * Called when a full list was stored. If namespaces are watched separately, the list
	 * is that of one namespace.
	 * @param informer the informer
	 * @param reason the reason for the list
	 * @param objects the number of objects in it
	 * @param duration the time that reading the list took
	 */
	default void listed(Informer<?> informer, ListReason reason, int objects, Duration duration) {
	}

	/**
	 * Called when a list or watch failed and will be retried.
	 * @param informer the informer
	 * @param error the error
	 * @param duration the time since the request
	 */
	default void requestFailed(Informer<?> informer, InformerError error, Duration duration) {
	}

	/**
	 * Called when a watch was opened.
	 * @param informer the informer
	 */
	default void watchStarted(Informer<?> informer) {
	}

	/**
	 * Called when a watch ended or could not be opened, and another one will follow. Not
	 * called when a watch ends because the informer is stopped or the namespace removed.
	 * @param informer the informer
	 * @param reason the reason for the end
	 * @param lived the time for which the watch was open; zero if it could not be opened
	 */
	default void watchEnded(Informer<?> informer, WatchEndReason reason, Duration lived) {
	}

	/**
	 * Called when the API server sent an event on a watch. Not called for objects of a
	 * list.
	 * @param informer the informer
	 * @param type the type of the event
	 */
	default void eventReceived(Informer<?> informer, WatchEventType type) {
	}

	/**
	 * Called when the API server's response to a list or watch has a warning, such as
	 * about a deprecated version. Called once per warning.
	 * @param informer the informer
	 * @param warning the warning, escaped, at most 256 characters. Its text is not
	 * trusted, because an aggregated API server can send any text
	 */
	default void warningReceived(Informer<?> informer, String warning) {
	}

	/**
	 * Called when the API server sent objects that could not be decoded or transformed.
	 * @param informer the informer
	 * @param objects the number of these objects in a list; 1 for an event
	 */
	default void unreadable(Informer<?> informer, int objects) {
	}

	/**
	 * Called when a handler is added, before it receives events.
	 * @param informer its informer
	 * @param handler the handler
	 */
	default void handlerAdded(Informer<?> informer, HandlerRegistration handler) {
	}

	/**
	 * Called when a handler was removed. If it was removed in a callback, events in
	 * progress may be reported afterwards.
	 * @param informer its informer
	 * @param handler the handler
	 */
	default void handlerRemoved(Informer<?> informer, HandlerRegistration handler) {
	}

	/**
	 * Called when a handler has finished every event of the initial state.
	 * @param informer its informer
	 * @param handler the handler
	 * @param duration the time since the start of the handler or the informer, whichever
	 * is later
	 */
	default void handlerSynced(Informer<?> informer, HandlerRegistration handler, Duration duration) {
	}

	/**
	 * Called when a handler has returned from an event or thrown an exception.
	 * @param informer its informer
	 * @param handler the handler
	 * @param event the outcome of the event
	 */
	default void handled(Informer<?> informer, HandlerRegistration handler, HandledEvent event) {
	}

}
