package dev.kubeinformer.handler;

import java.time.Duration;

/**
 * Registration of a handler with an informer. Each registered handler has its own queue,
 * workers and sync.
 */
public interface HandlerRegistration extends AutoCloseable {

	/**
	 * Returns the id of the handler, as given or generated.
	 * @return the id
	 */
	String id();

	/**
	 * Returns whether the informer is synced and the handler has finished every event of
	 * the initial content of the cache (client-go:
	 * {@code ResourceEventHandlerRegistration.HasSynced}).
	 * @return {@code true} if the handler is synced
	 */
	boolean hasSynced();

	/**
	 * Waits until the handler is synced. It may be called before the informer is started.
	 * @param timeout the maximum time to wait
	 * @return {@code true} if the handler is synced; {@code false} after the timeout, or
	 * at once if the informer stops or the handler is closed
	 * @throws InterruptedException if the thread is interrupted
	 * @throws IllegalStateException if called from a callback of this handler, which
	 * would wait for itself
	 */
	boolean awaitSync(Duration timeout) throws InterruptedException;

	/**
	 * Returns whether the handler is leader-only and receives no events because this
	 * process does not lead. Such a handler counts as synced when its informer is synced.
	 * @return {@code true} if the handler stands by
	 * @see HandlerOptions#withLeadership
	 */
	default boolean isStandby() {
		return false;
	}

	/**
	 * Returns the state of the handler.
	 * @return the state at this moment
	 */
	HandlerStatus status();

	/**
	 * Pauses delivery. Events wait, and are merged per object beyond the queue's
	 * capacity. An event that is being handled is finished. Due retries wait, too.
	 */
	void pause();

	/**
	 * Ends a {@link #pause()}.
	 */
	void resume();

	/**
	 * Delivers every cached object again as an update with equal old and new object,
	 * except objects with a waiting event or retry. Sends no request to the API server.
	 */
	void resync();

	/**
	 * Removes the handler. No more events are queued, and pending events are handled
	 * within the drain timeout, without further retries. Further calls do nothing. A call
	 * from a callback of the handler does not wait for that callback.
	 */
	@Override
	void close();

	/**
	 * Removes the handler at once: pending events are dropped, and its threads are
	 * interrupted. Does not wait for the threads. A concurrent {@link #close()} returns
	 * as soon as they have ended.
	 */
	void discard();

}
