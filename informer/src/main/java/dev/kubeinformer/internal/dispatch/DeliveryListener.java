package dev.kubeinformer.internal.dispatch;

import java.time.Duration;

import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.handler.HandledEvent;
import dev.kubeinformer.handler.ResourceEvent;
import dev.kubeinformer.types.ObjectKey;

/**
 * Listener that is notified of the outcome of one handler's events. Unless a method says
 * otherwise, it is called by the handler's worker, outside of locks.
 *
 * @param <T> the model class
 */
public interface DeliveryListener<T extends KubernetesObject> {

	/**
	 * Returns whether {@link #handled} is to be called.
	 * @return {@code true} if the listener is active
	 */
	boolean isActive();

	/**
	 * Called when the handler has finished the initial state. Called under locks: it must
	 * neither block nor call user code.
	 */
	void synced();

	/**
	 * Called after the handler was called with an event, and before the handler is called
	 * with the next event of the object.
	 * @param event what became of the event
	 */
	void handled(HandledEvent event);

	/**
	 * Called when the handler threw an exception, also if the listener is not active.
	 * @param event the event
	 * @param key the key that the object was received with
	 * @param cause the exception
	 * @param retry how long the event waits for its next attempt; {@code null} if the
	 * event is given up
	 */
	void failed(ResourceEvent<T> event, ObjectKey key, Throwable cause, @Nullable Duration retry);

	/**
	 * Called when a stop interrupted the handler, also if the listener is not active. The
	 * event waits for the next start, or was dropped if the dispatcher is closed.
	 * @param event the event
	 * @param key the key that the object was received with
	 */
	void interrupted(ResourceEvent<T> event, ObjectKey key);

	/**
	 * Called when a close dropped events, by the thread that dropped them. It must not
	 * throw.
	 * @param events the number of events
	 */
	void dropped(int events);

	/**
	 * Called when the outcome of an event is settled, also if the listener is not active;
	 * soon after each {@link #synced()} that the event led to.
	 */
	void settled();

}
