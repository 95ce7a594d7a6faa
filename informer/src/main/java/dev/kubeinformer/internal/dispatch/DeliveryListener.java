package dev.kubeinformer.internal.dispatch;

import java.time.Duration;

import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.handler.HandledEvent;
import dev.kubeinformer.handler.ResourceEvent;
import dev.kubeinformer.types.ObjectKey;

/**
 * Listener to the outcomes of one handler's events. The handler's workers call its
 * methods, without locks, unless a method says otherwise.
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
	 * Called when the handler has finished the initial state. Called under locks, so it
	 * must neither block nor call user code.
	 */
	void synced();

	/**
	 * Called after the handler was called with an event, and before it is called with the
	 * next event of the object.
	 * @param event the outcome of the event
	 */
	void handled(HandledEvent event);

	/**
	 * Called when the handler threw an exception, even if the listener is not active.
	 * @param event the event
	 * @param key the key of the object as received
	 * @param cause the exception
	 * @param retry the delay before the next attempt; {@code null} if the event is
	 * exhausted
	 */
	void failed(ResourceEvent<T> event, ObjectKey key, Throwable cause, @Nullable Duration retry);

	/**
	 * Called when the handler was interrupted because it did not end in time while the
	 * informer stopped, even if the listener is not active. The event waits for the next
	 * start, or was dropped if the dispatcher is closed.
	 * @param event the event
	 * @param key the key of the object as received
	 */
	void interrupted(ResourceEvent<T> event, ObjectKey key);

	/**
	 * Called when the observer of the deliveries threw an exception, even if the listener
	 * is not active. The delivery is not affected.
	 * @param cause the exception
	 */
	void observerFailed(Throwable cause);

	/**
	 * Called when events were dropped because the dispatcher was closed, on the thread
	 * that dropped them. Must not throw.
	 * @param events the number of events
	 */
	void dropped(int events);

	/**
	 * Called when the outcome of an event is final, even if the listener is not active.
	 * If the event was the last one of the initial state, this call follows soon after
	 * {@link #synced()}.
	 */
	void settled();

}
