package dev.kubeinformer.spring.handler;

import java.lang.reflect.Method;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;

import dev.kubeinformer.handler.HandlerOptions;
import dev.kubeinformer.handler.HandlerStatus;
import dev.kubeinformer.handler.ResourceEvent;
import dev.kubeinformer.informer.InformerSpec;
import dev.kubeinformer.types.ClusterName;

/**
 * What runs one handler, an {@code @InformerHandler} bean or one that was registered: it
 * adds it to its informer when it starts and removes it when it stops. All methods may be
 * called from any thread.
 */
public interface InformerHandlerContainer {

	/**
	 * Returns the id of the handler.
	 * @return the id, with the name of the cluster and a dot before it where that is not
	 * the default one
	 */
	String id();

	/**
	 * Returns the name of the cluster whose events are handled.
	 * @return the name; {@code default} for the default one
	 */
	default String cluster() {
		return ClusterName.DEFAULT;
	}

	/**
	 * Returns the name of the bean.
	 * @return the name; the id within its cluster for a handler that was registered
	 */
	String beanName();

	/**
	 * Returns the methods that are called, as they can be called on the bean.
	 * @return the method for each type of event that is delivered to the handler
	 */
	Map<ResourceEvent.Type, Method> methods();

	/**
	 * Returns what the handler's informer caches.
	 * @return the spec
	 */
	InformerSpec<?> spec();

	/**
	 * Returns the namespaces that are cached for the handler now.
	 * @return the namespaces in alphabetical order; empty for all of the cluster
	 */
	default Set<String> namespaces() {
		return spec().namespaces();
	}

	/**
	 * Changes the namespaces that are cached for the handler, while it runs or before. A
	 * new namespace alone is listed and watched, and its objects are delivered as
	 * additions, not marked initial once the handler's informer is synced. Objects of a
	 * namespace that is left out are delivered as deletions with
	 * {@link ResourceEvent#finalStateUnknown()}. What stays goes on as it is.
	 * {@link #spec()} stays what the handler was made for, and so does its informer's id.
	 * It holds until the application ends. It may be called from the handler.
	 * @param namespaces all namespaces that are to be cached
	 * @throws IllegalArgumentException if there is none, one is no name of a namespace,
	 * or the resource is cluster-scoped
	 * @throws IllegalStateException if another handler or a lister uses the same
	 * informer, whose namespaces would change as well, if the informer caches all of the
	 * cluster, or if the handler was unregistered
	 * @throws UnsupportedOperationException if this container cannot do it
	 */
	default void namespaces(Collection<String> namespaces) {
		throw new UnsupportedOperationException(
				"The namespaces of handler '%s' cannot be changed by '%s'".formatted(id(), getClass().getName()));
	}

	/**
	 * Returns how events are delivered to the handler.
	 * @return the options
	 */
	HandlerOptions options();

	/**
	 * Returns whether the handler starts with the application.
	 * @return whether it starts by itself
	 */
	boolean isAutoStartup();

	/**
	 * Returns whether the application's readiness waits for the handler's sync.
	 * @return whether it counts
	 */
	boolean isReadiness();

	/**
	 * Returns whether events are delivered to the handler only while this replica leads.
	 * @return whether it is leader-only
	 */
	default boolean isLeaderOnly() {
		return false;
	}

	/**
	 * Returns whether the handler is leader-only and runs, while this replica does not
	 * lead. Its informer runs, and no event is delivered.
	 * @return whether it stands by
	 */
	default boolean isStandby() {
		return false;
	}

	/**
	 * Adds the handler to its informer: it gets the present content as additions marked
	 * initial and then every change. An informer that does not run is started, also if
	 * the others wait for {@code Informers.start()}. Does nothing when both run already.
	 * One that is leader-only is added whenever this replica becomes leader.
	 * @throws IllegalStateException if the handler was unregistered, or if it starts for
	 * the first time and the namespaces of its informer were changed for another handler
	 * meanwhile
	 */
	void start();

	/**
	 * Removes the handler from its informer, after pending events were handled or the
	 * drain timeout has passed. Does nothing when it does not run. Called from the
	 * handler itself it does not wait.
	 */
	void stop();

	/**
	 * Returns whether the handler is at its informer, paused or not.
	 * @return whether it runs
	 */
	boolean isRunning();

	/**
	 * Returns the caches that the handler waits for, its own or those that its bean
	 * reads: before they have been filled, no event is delivered to it.
	 * @return the ids of their informers; empty if it waits for none
	 */
	default List<String> awaiting() {
		return List.of();
	}

	/**
	 * Holds delivery back; events wait.
	 * @throws IllegalStateException if the handler does not run
	 */
	void pause();

	/**
	 * Ends a {@link #pause()}.
	 * @throws IllegalStateException if the handler does not run
	 */
	void resume();

	/**
	 * Delivers every cached object again as an update with equal old and new object. It
	 * costs no request to the API server.
	 * @throws IllegalStateException if the handler does not run
	 */
	void resync();

	/**
	 * Returns whether the handler runs and has finished every event of the initial state;
	 * while it stands by, whether its informer is synced.
	 * @return whether it is synced
	 */
	boolean hasSynced();

	/**
	 * Returns whether the handler was synced at least once, also before it was last
	 * stopped.
	 * @return whether it ever was
	 */
	boolean wasSynced();

	/**
	 * Waits until the handler is synced.
	 * @param timeout how long to wait at most
	 * @return whether it is synced
	 * @throws InterruptedException if the thread is interrupted
	 * @throws IllegalStateException if the handler does not run, or if called from it
	 */
	boolean awaitSync(Duration timeout) throws InterruptedException;

	/**
	 * Returns the state of the handler; after {@link #stop()} the last one, without sync.
	 * @return the state at this moment
	 */
	HandlerStatus status();

}
