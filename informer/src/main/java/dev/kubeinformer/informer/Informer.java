package dev.kubeinformer.informer;

import java.time.Duration;
import java.util.List;
import java.util.Set;

import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.informer.ResourceEventHandler;
import io.kubernetes.client.informer.SharedIndexInformer;
import io.kubernetes.client.informer.TransformFunc;
import io.kubernetes.client.informer.cache.Lister;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.handler.EventHandler;
import dev.kubeinformer.handler.HandlerOptions;
import dev.kubeinformer.handler.HandlerRegistration;
import dev.kubeinformer.handler.ResourceEvent;
import dev.kubeinformer.types.ClusterName;
import dev.kubeinformer.types.InformerState;

/**
 * Shared cache of one resource, which follows the API server and delivers changes to
 * handlers (client-go: {@code SharedIndexInformer}). {@link dev.kubeinformer.Informers}
 * creates informers; callers with equal {@link InformerSpec specs} share one.
 * <p>
 * All methods may be called from any thread.
 *
 * @param <T> the model class
 */
public interface Informer<T extends KubernetesObject> extends SharedIndexInformer<T> {

	/**
	 * Returns the stable id: the name of the spec or {@code plural[.group]}, with a
	 * suffix if the spec is narrowed. Outside the default cluster, the name of the
	 * cluster and a dot precede it.
	 * @return the id
	 */
	String id();

	/**
	 * Returns the name of the cluster whose objects are cached.
	 * @return the name; {@value ClusterName#DEFAULT} for the default cluster
	 */
	default String cluster() {
		return ClusterName.DEFAULT;
	}

	/**
	 * Returns the spec of the informer, which identifies it. It stays the same when
	 * namespaces are added or removed.
	 * @return the spec
	 * @see #namespaces()
	 */
	InformerSpec<T> spec();

	/**
	 * Returns the cached namespaces.
	 * @return the namespaces in alphabetical order; empty for the whole cluster
	 */
	Set<String> namespaces();

	/**
	 * Adds a namespace to the cache. A running informer lists and watches only the new
	 * namespace; the other namespaces are not affected. A synced informer stays synced,
	 * and delivers the objects of the new namespace as additions that are not
	 * {@link ResourceEvent#initial()}. An informer that is not synced waits for the new
	 * namespace, too. Until the namespace is listed, {@link #lastSyncResourceVersion()}
	 * is empty and {@link #awaitResourceVersion} waits.
	 * <p>
	 * All users of a shared informer see the namespace. It stays until it is removed,
	 * even across a stop and a start. If its thread cannot be started, this method throws
	 * that failure and the namespace is not added.
	 * @param namespace the namespace
	 * @return {@code true} if the namespace was not cached before
	 * @throws IllegalArgumentException if the name is not valid or the resource is
	 * cluster-scoped
	 * @throws IllegalStateException if the informer caches all namespaces
	 * @see #awaitSync(String, Duration)
	 */
	boolean addNamespace(String namespace);

	/**
	 * Removes a namespace from the cache. Its requests end, and its objects are removed
	 * and delivered to handlers as deletions with
	 * {@link ResourceEvent#finalStateUnknown()}. The other namespaces are not affected. A
	 * call from a callback does not wait for that callback.
	 * @param namespace the namespace
	 * @throws IllegalArgumentException if the namespace is not cached
	 * @throws IllegalStateException if the namespace is the last one, or the informer
	 * caches all namespaces
	 */
	void removeNamespace(String namespace);

	/**
	 * Returns the state of the informer.
	 * @return the state
	 */
	default InformerState state() {
		return status().state();
	}

	/**
	 * Returns the status of the informer: its state, the start of that state and the
	 * reason.
	 * @return the status at this moment
	 */
	InformerStatus status();

	/**
	 * Returns the objects that currently cannot be decoded or transformed.
	 * @return the quarantined objects; only the first few have details
	 */
	default QuarantinedObjects quarantined() {
		return QuarantinedObjects.none();
	}

	/**
	 * Returns the content of the cache at this moment.
	 * @return a snapshot; empty before the first sync
	 */
	Snapshot<T> snapshot();

	/**
	 * Returns a lister with the API of the official client. It keeps working across a
	 * stop and a start of the informer.
	 * @return the lister
	 */
	Lister<T> lister();

	/**
	 * Adds a handler. It receives the current content of the cache as additions marked
	 * {@link ResourceEvent#initial()}, then every change, without gaps or duplicates. If
	 * its threads cannot be started, this method throws that failure and the handler is
	 * not added.
	 * @param handler the handler
	 * @param options the options of the delivery
	 * @return the registration
	 */
	HandlerRegistration addHandler(EventHandler<T> handler, HandlerOptions options);

	/**
	 * Adds a handler with the API of the official client.
	 * @param handler the handler
	 * @param options the options of the delivery
	 * @return the registration
	 * @see #addHandler(EventHandler, HandlerOptions)
	 */
	HandlerRegistration addHandler(ResourceEventHandler<? super T> handler, HandlerOptions options);

	/**
	 * Returns the handlers of this informer.
	 * @return the registrations that are not closed
	 */
	List<HandlerRegistration> handlers();

	/**
	 * Waits until the informer is synced, so that the cache holds all objects. It may be
	 * called before the informer is started, and from a handler, because handlers do not
	 * block the cache.
	 * @param timeout the maximum time to wait
	 * @return {@code true} if the informer is synced; {@code false} after the timeout, or
	 * at once if the informer is stopped or its last {@link InformerLease} is closed
	 * @throws InterruptedException if the thread is interrupted
	 * @throws IllegalStateException if called from a transform or index function that the
	 * cache waits for
	 */
	boolean awaitSync(Duration timeout) throws InterruptedException;

	/**
	 * Waits until the cache holds all objects of one namespace, for example of a
	 * namespace that was just added.
	 * @param namespace the namespace
	 * @param timeout the maximum time to wait
	 * @return {@code true} if the namespace is synced; {@code false} after the timeout,
	 * or if the informer is stopped or the namespace removed
	 * @throws InterruptedException if the thread is interrupted
	 * @throws IllegalArgumentException if the namespace is not cached
	 * @throws IllegalStateException if the informer caches all namespaces, or if called
	 * from a transform or index function that the cache waits for
	 */
	boolean awaitSync(String namespace, Duration timeout) throws InterruptedException;

	/**
	 * Sets the transform that changes objects before they are cached, for example to drop
	 * unused fields. It is called once for each received object, with a private instance
	 * that it may modify and return. The returned object must not be modified later. Each
	 * separately watched namespace has its own thread that calls the transform.
	 * <p>
	 * Key, UID and resourceVersion always stay as received. If the transform returns
	 * {@code null}, the object is not cached, and handlers that know the object receive a
	 * deletion. If it throws, the object is quarantined: its previous cached version
	 * stays until the object changes again. Deletions are not transformed; they contain
	 * the object as cached.
	 * @param transformFunc the transform, {@code null} for none
	 * @throws IllegalStateException if the informer runs
	 */
	@Override
	void setTransform(@Nullable TransformFunc transformFunc);

	/**
	 * Waits until the cache is at least as new as a version, because of an event, a
	 * bookmark or a list. If several namespaces are cached, each of them must reach the
	 * version. Versions that are not decimal numbers have no order. The cache must then
	 * have exactly that version during the wait; if it has passed the version before, the
	 * wait ends with the timeout.
	 * <p>
	 * When this method returns, all events up to the version are handled or in the queues
	 * of the handlers. It may be called before the informer is started, and from a
	 * handler, because handlers do not block the cache. A transform or index function of
	 * this informer must not call it, because it would wait for itself.
	 * @param resourceVersion the version, taken from an object or a list of this resource
	 * @param timeout the maximum time to wait
	 * @return {@code true} if the cache has reached the version; {@code false} after the
	 * timeout, or if the informer is stopped
	 * @throws InterruptedException if the thread is interrupted
	 * @throws IllegalArgumentException if the version is empty
	 * @throws IllegalStateException if called from a transform or index function that the
	 * cache waits for
	 */
	boolean awaitResourceVersion(String resourceVersion, Duration timeout) throws InterruptedException;

	/**
	 * Waits until the cache has seen your own write. The cache then holds the written
	 * object or a newer version, or does not hold it because it has been deleted or does
	 * not match the selectors. Only the object's namespace must be current. An object of
	 * another shard is never cached and not awaited.
	 * <p>
	 * If the selectors exclude the object, the write counts as seen with the next
	 * bookmark, about a minute later. The response to a delete contains the version of
	 * the delete. A kube-apiserver before kubernetes/kubernetes#113369 responds with the
	 * version of the previous write, which the cache may have reached without having seen
	 * the delete.
	 * @param written the object as the API server returned it from a create, update,
	 * patch or delete
	 * @param timeout the maximum time to wait
	 * @return {@code true} if the cache has seen the write, or the object is in another
	 * shard; {@code false} after the timeout, or if the informer is stopped or the
	 * namespace removed
	 * @throws InterruptedException if the thread is interrupted
	 * @throws IllegalArgumentException if the object has no resourceVersion, is of
	 * another resource, or is in a namespace that this informer does not cache
	 * @throws IllegalStateException if called from a transform or index function that the
	 * cache waits for
	 * @see #awaitResourceVersion(String, Duration)
	 */
	boolean await(KubernetesObject written, Duration timeout) throws InterruptedException;

}
