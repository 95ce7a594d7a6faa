package dev.kubeinformer.handler;

import java.time.Duration;

/**
 * A handler at an informer, with its own queue, workers and sync.
 */
public interface HandlerRegistration extends AutoCloseable {

	/**
	 * Returns the id of the handler, as given or generated.
	 * @return the id
	 */
	String id();

	/**
	 * Returns whether the informer has its first full state and the handler has finished
	 * every event of it (client-go: {@code ResourceEventHandlerRegistration.HasSynced}).
	 * @return whether the handler is synced
	 */
	boolean hasSynced();

	/**
	 * Waits until the handler is synced. It may be called before the informer is started.
	 * @param timeout how long to wait at most
	 * @return whether it is synced; {@code false} also, and at once, if the informer is
	 * stopped or the handler closed meanwhile
	 * @throws InterruptedException if the thread is interrupted
	 * @throws IllegalStateException if called from a callback of this handler, which
	 * would wait for itself
	 */
	boolean awaitSync(Duration timeout) throws InterruptedException;

	/**
	 * Returns whether the handler is leader-only and gets nothing because this process
	 * does not lead. It counts as synced then when its informer is.
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
	 * Holds delivery back; events wait, and are merged per object beyond the queue's
	 * capacity. An event that is being handled is finished. Retries that become due wait
	 * too.
	 */
	void pause();

	/**
	 * Ends a {@link #pause()}.
	 */
	void resume();

	/**
	 * Delivers every cached object again as an update with equal old and new object,
	 * except those of which an event waits or is to be retried. It costs no request to
	 * the API server.
	 */
	void resync();

	/**
	 * Removes the handler: no more events are queued, pending ones are handled up to the
	 * drain timeout, without further retries. Does nothing the second time. Called from a
	 * callback of the handler it does not wait for that callback.
	 */
	@Override
	void close();

	/**
	 * Removes the handler at once: pending events are dropped, and its threads are
	 * interrupted. Does not wait for them. A {@link #close()} under way in another thread
	 * is over as soon as they have ended.
	 */
	void discard();

}
