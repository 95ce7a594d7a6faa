package dev.kubeinformer;

import java.time.Duration;
import java.util.List;

import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.informer.ResourceEventHandler;
import io.kubernetes.client.informer.SharedIndexInformer;
import io.kubernetes.client.informer.cache.Lister;

/**
 * A shared cache of one resource that follows the API server and tells handlers what
 * changes (client-go: {@code SharedIndexInformer}). Informers are made by
 * {@link Informers} and shared by everyone who asks for an equal {@link InformerSpec}.
 * <p>
 * All methods may be called from any thread.
 *
 * @param <T> the model class
 */
public interface Informer<T extends KubernetesObject> extends SharedIndexInformer<T> {

	/**
	 * Stable id: {@code plural[.group]}, with a suffix when the spec narrows it, or the
	 * name of the spec.
	 * @return the id
	 */
	String id();

	/**
	 * What the informer caches.
	 * @return the spec
	 */
	InformerSpec<T> spec();

	/**
	 * What the informer is doing.
	 * @return the state
	 */
	default InformerState state() {
		return status().state();
	}

	/**
	 * What the informer is doing, since when, and why.
	 * @return the state at this moment
	 */
	InformerStatus status();

	/**
	 * Content of the cache at this moment.
	 * @return a snapshot; empty before the first sync
	 */
	Snapshot<T> snapshot();

	/**
	 * Reader of the cache in the form of the official client. It keeps working when the
	 * informer is stopped and started.
	 * @return the lister
	 */
	Lister<T> lister();

	/**
	 * Adds a handler. It is told the present content of the cache as additions marked
	 * {@link ResourceEvent#initial()}, and then every change, with no gap and no
	 * duplicate.
	 * @param handler the handler
	 * @param options how events are delivered to it
	 * @return the registration
	 */
	HandlerRegistration addHandler(EventHandler<T> handler, HandlerOptions options);

	/**
	 * Adds a handler in the form of the official client.
	 * @param handler the handler
	 * @param options how events are delivered to it
	 * @return the registration
	 * @see #addHandler(EventHandler, HandlerOptions)
	 */
	HandlerRegistration addHandler(ResourceEventHandler<? super T> handler, HandlerOptions options);

	/**
	 * Handlers of this informer.
	 * @return the registrations that are not closed
	 */
	List<HandlerRegistration> handlers();

	/**
	 * Waits until the cache holds its first full state.
	 * @param timeout how long to wait at most
	 * @return whether it does
	 * @throws InterruptedException if the thread is interrupted
	 */
	boolean awaitSync(Duration timeout) throws InterruptedException;

}
