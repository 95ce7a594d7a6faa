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
 * Listener that is notified of what informers and their handlers do: for metrics,
 * application events and the like. No notification holds contents of objects.
 * <p>
 * Its methods are called by the threads of the engine and by those that start, stop, add
 * or remove something, outside the engine's locks, and may be called by several threads
 * at once. They must be quick: the informer or handler that notifies waits for them. An
 * exception is logged, and does no other harm. Notifications of the life, the lists and
 * the watches of one informer come in their order; those of events do for one handler and
 * object.
 * <p>
 * Figures that need no notification, such as the size of a cache or the number of merged
 * events, are in {@link InformerStatus} and {@link HandlerStatus}.
 *
 * @see dev.kubeinformer.Informers.Builder#listener(InformerListener)
 * @see dev.kubeinformer.Informers#addListener(InformerListener)
 */
public interface InformerListener {

	/**
	 * Called when an informer was asked for, for the first time.
	 * @param informer the informer
	 */
	default void informerAdded(Informer<?> informer) {
	}

	/**
	 * Called when an informer is gone for good, because its last lease was closed.
	 * @param informer the informer
	 */
	default void informerRemoved(Informer<?> informer) {
	}

	/**
	 * Called when the state of an informer changed.
	 * @param informer the informer
	 * @param before the state before
	 * @param now the state now
	 */
	default void stateChanged(Informer<?> informer, InformerState before, InformerState now) {
	}

	/**
	 * Called when the cache of an informer holds its first full state since the last
	 * start.
	 * @param informer the informer
	 * @param duration the time since that start
	 */
	default void synced(Informer<?> informer, Duration duration) {
	}

	/**
	 * Called when a full list was stored, of one namespace if they are watched one by
	 * one.
	 * @param informer the informer
	 * @param reason why it was asked for
	 * @param objects the number of objects in it
	 * @param duration how long it took to read
	 */
	default void listed(Informer<?> informer, ListReason reason, int objects, Duration duration) {
	}

	/**
	 * Called when a list or watch failed, and is tried again.
	 * @param informer the informer
	 * @param error what went wrong
	 * @param duration the time since the request
	 */
	default void requestFailed(Informer<?> informer, InformerError error, Duration duration) {
	}

	/**
	 * Called when a watch is open.
	 * @param informer the informer
	 */
	default void watchStarted(Informer<?> informer) {
	}

	/**
	 * Called when a watch ended or could not be opened, and a new one will follow. It is
	 * not called for those that end because the informer is stopped or the namespace
	 * removed.
	 * @param informer the informer
	 * @param reason why it ended
	 * @param lived how long it was open; zero if it could not be opened
	 */
	default void watchEnded(Informer<?> informer, WatchEndReason reason, Duration lived) {
	}

	/**
	 * Called when the API server sent an event on a watch. Objects of a list are none.
	 * @param informer the informer
	 * @param type the type of the event
	 */
	default void eventReceived(Informer<?> informer, WatchEventType type) {
	}

	/**
	 * Called when the API server answered a list or watch with a warning, such as about a
	 * version that is deprecated. It is called for each of them.
	 * @param informer the informer
	 * @param warning the warning, escaped and of at most 256 characters. An aggregated
	 * API server may write anything into it
	 */
	default void warningReceived(Informer<?> informer, String warning) {
	}

	/**
	 * Called when the API server sent objects that could not be read, or that the
	 * transform failed on.
	 * @param informer the informer
	 * @param objects their number in one list, or 1
	 */
	default void unreadable(Informer<?> informer, int objects) {
	}

	/**
	 * Called when a handler is added. It gets no event before.
	 * @param informer its informer
	 * @param handler the handler
	 */
	default void handlerAdded(Informer<?> informer, HandlerRegistration handler) {
	}

	/**
	 * Called when a handler was removed. Events that it is still busy with may be
	 * reported afterwards, if it was removed from within a callback.
	 * @param informer its informer
	 * @param handler the handler
	 */
	default void handlerRemoved(Informer<?> informer, HandlerRegistration handler) {
	}

	/**
	 * Called when a handler has finished every event of the initial state.
	 * @param informer its informer
	 * @param handler the handler
	 * @param duration the time since the handler or its informer was started, whichever
	 * came last
	 */
	default void handlerSynced(Informer<?> informer, HandlerRegistration handler, Duration duration) {
	}

	/**
	 * Called when an event was handed to a handler, and it returned or threw.
	 * @param informer its informer
	 * @param handler the handler
	 * @param event what became of the event
	 */
	default void handled(Informer<?> informer, HandlerRegistration handler, HandledEvent event) {
	}

}
