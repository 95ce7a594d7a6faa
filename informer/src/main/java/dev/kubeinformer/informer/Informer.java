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
 * A shared cache of one resource that follows the API server and delivers what changes to
 * handlers (client-go: {@code SharedIndexInformer}). Informers are made by
 * {@link dev.kubeinformer.Informers} and shared by everyone who asks for an equal
 * {@link InformerSpec}.
 * <p>
 * All methods may be called from any thread.
 *
 * @param <T> the model class
 */
public interface Informer<T extends KubernetesObject> extends SharedIndexInformer<T> {

	/**
	 * Returns the stable id: {@code plural[.group]}, with a suffix when the spec narrows
	 * it, or the name of the spec; with the name of the cluster and a dot before it,
	 * where that is not the default one.
	 * @return the id
	 */
	String id();

	/**
	 * Returns the name of the cluster whose objects are cached.
	 * @return the name; {@value ClusterName#DEFAULT} for the default one
	 */
	default String cluster() {
		return ClusterName.DEFAULT;
	}

	/**
	 * Returns what the informer was made for and is identified by: it stays the same when
	 * namespaces are added or removed.
	 * @return the spec
	 * @see #namespaces()
	 */
	InformerSpec<T> spec();

	/**
	 * Returns the namespaces that are cached now.
	 * @return the namespaces in alphabetical order; empty for all of the cluster
	 */
	Set<String> namespaces();

	/**
	 * Caches one more namespace. While the informer runs, that namespace alone is listed
	 * and watched; the others go on as they are. An informer that is synced stays so, and
	 * delivers the objects of the new namespace as additions that are not
	 * {@link ResourceEvent#initial()}; one that is not waits for the new namespace too.
	 * Until the namespace is listed, the informer has no
	 * {@link #lastSyncResourceVersion()} and {@link #awaitResourceVersion} waits.
	 * <p>
	 * Everyone who shares the informer gets the namespace. It stays until it is removed,
	 * also over stop and start. Where no thread can be started for it, what that failed
	 * with is thrown and the namespace is not added.
	 * @param namespace the namespace
	 * @return whether it was not cached yet
	 * @throws IllegalArgumentException if that is no name of a namespace or the resource
	 * is cluster-scoped
	 * @throws IllegalStateException if the informer caches all namespaces
	 * @see #awaitSync(String, Duration)
	 */
	boolean addNamespace(String namespace);

	/**
	 * Caches a namespace no longer. Its requests end, its objects leave the cache, and
	 * their deletion is delivered to handlers with
	 * {@link ResourceEvent#finalStateUnknown()}. The others go on as they are. Called
	 * from a callback, it does not wait for that callback.
	 * @param namespace the namespace
	 * @throws IllegalArgumentException if the namespace is not cached
	 * @throws IllegalStateException if it is the last one, or the informer caches all
	 * namespaces
	 */
	void removeNamespace(String namespace);

	/**
	 * Returns what the informer is doing.
	 * @return the state
	 */
	default InformerState state() {
		return status().state();
	}

	/**
	 * Returns what the informer is doing, since when, and why.
	 * @return the state at this moment
	 */
	InformerStatus status();

	/**
	 * Returns what cannot be read or transformed at this moment.
	 * @return the first of these objects
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
	 * Returns a reader of the cache in the form of the official client. It keeps working
	 * when the informer is stopped and started.
	 * @return the lister
	 */
	Lister<T> lister();

	/**
	 * Adds a handler. The present content of the cache is delivered to it as additions
	 * marked {@link ResourceEvent#initial()}, and then every change, with no gap and no
	 * duplicate. Where its threads cannot be started, what they failed with is thrown and
	 * the handler is not added.
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
	 * Returns the handlers of this informer.
	 * @return the registrations that are not closed
	 */
	List<HandlerRegistration> handlers();

	/**
	 * Waits until the cache holds its first full state. It may be called before the
	 * informer is started.
	 * @param timeout how long to wait at most
	 * @return whether it does; {@code false} also, and at once, if the informer is
	 * stopped meanwhile or closed with its last lease
	 * @throws InterruptedException if the thread is interrupted
	 */
	boolean awaitSync(Duration timeout) throws InterruptedException;

	/**
	 * Waits until the cache holds a full state of one namespace, such as one that was
	 * added.
	 * @param namespace the namespace
	 * @param timeout how long to wait at most
	 * @return whether it does; {@code false} also if the informer is stopped or the
	 * namespace removed meanwhile
	 * @throws InterruptedException if the thread is interrupted
	 * @throws IllegalArgumentException if the namespace is not cached
	 * @throws IllegalStateException if the informer caches all namespaces, or if called
	 * from a transform or index function that the cache waits for
	 */
	boolean awaitSync(String namespace, Duration timeout) throws InterruptedException;

	/**
	 * Sets what changes objects before they are cached, such as to drop what nobody
	 * reads. It is called once for each object that is received, with a private object
	 * that it may change and return; after that nobody may change it any more. It is
	 * called by one thread for each namespace that is watched on its own.
	 * <p>
	 * Key, UID and resourceVersion stay those that were received, whatever it returns.
	 * Where it returns {@code null} the object is not cached, and a deletion is delivered
	 * to handlers that know it. Where it throws, the object counts as one that cannot be
	 * read: what was cached of it stays until it changes again. Deletions are not given
	 * to it; they show the object as it was cached.
	 * @param transformFunc the transform, {@code null} for none
	 * @throws IllegalStateException if the informer runs
	 */
	@Override
	void setTransform(@Nullable TransformFunc transformFunc);

	/**
	 * Waits until the cache holds at least what the API server held at a version, by
	 * events, by a bookmark or by a list. Of several namespaces each must have reached
	 * it. Versions that are not decimal numbers have no order: such a one must become the
	 * version of the cache itself, and is missed if that has moved on already.
	 * <p>
	 * Once it is reached, the events up to there are with the handlers: handled, or in
	 * their queues. It may be called before the informer is started, and from a handler,
	 * which holds up no cache. A transform or index function of this informer would wait
	 * for itself.
	 * @param resourceVersion the version, as some object or list of this resource has it
	 * @param timeout how long to wait at most
	 * @return whether the cache has reached it; {@code false} also if the informer is
	 * stopped meanwhile
	 * @throws InterruptedException if the thread is interrupted
	 * @throws IllegalArgumentException if the version is empty
	 * @throws IllegalStateException if called from a transform or index function that the
	 * cache waits for
	 */
	boolean awaitResourceVersion(String resourceVersion, Duration timeout) throws InterruptedException;

	/**
	 * Waits until the cache has seen a write of one's own: it then holds the object as it
	 * was written or newer, or not at all if it was deleted meanwhile or does not match
	 * the selectors. Only the namespace of the object counts, and its shard: an object of
	 * another shard is never in the cache, and not waited for.
	 * <p>
	 * A write of an object that the selectors hide is seen with the next bookmark, about
	 * a minute later. A delete is answered with the version of the delete, but by
	 * kube-apiserver before kubernetes/kubernetes#113369 with that of the last write
	 * before it, which the cache may have reached without having seen the delete.
	 * @param written the object as the API server returned it from a create, update,
	 * patch or delete
	 * @param timeout how long to wait at most
	 * @return whether the cache has seen the write, or never shows the object as that is
	 * in another shard; {@code false} also if the informer is stopped or the namespace
	 * removed meanwhile
	 * @throws InterruptedException if the thread is interrupted
	 * @throws IllegalArgumentException if the object has no resourceVersion, is of
	 * another resource, or lives in a namespace that this informer does not cache
	 * @throws IllegalStateException if called from a transform or index function that the
	 * cache waits for
	 * @see #awaitResourceVersion(String, Duration)
	 */
	boolean await(KubernetesObject written, Duration timeout) throws InterruptedException;

}
