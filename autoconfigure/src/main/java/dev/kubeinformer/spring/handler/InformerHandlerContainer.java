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
 * Container of one handler: an {@code @InformerHandler} bean or a registered handler. It
 * adds the handler to its informer on start and removes it on stop. All methods may be
 * called from any thread.
 */
public interface InformerHandlerContainer {

	/**
	 * Returns the id of the handler.
	 * @return the cluster name, a dot and the id of the handler in its cluster; for the
	 * default cluster, only the id
	 */
	String id();

	/**
	 * Returns the name of the cluster whose events are handled.
	 * @return the name; {@code default} for the default cluster
	 */
	default String cluster() {
		return ClusterName.DEFAULT;
	}

	/**
	 * Returns the name of the bean.
	 * @return the name; for a registered handler, the id within its cluster
	 */
	String beanName();

	/**
	 * Returns the methods that are called on the bean.
	 * @return the method for each type of event that the handler receives
	 */
	Map<ResourceEvent.Type, Method> methods();

	/**
	 * Returns the spec of the handler's informer.
	 * @return the spec
	 */
	InformerSpec<?> spec();

	/**
	 * Returns the namespaces that are currently cached for the handler.
	 * @return the namespaces in alphabetical order; empty for the whole cluster
	 */
	default Set<String> namespaces() {
		return spec().namespaces();
	}

	/**
	 * Changes the namespaces that are cached for the handler, before or after its start.
	 * Only namespaces that were not cached before are listed and watched. Their objects
	 * are delivered as additions. If the handler's informer is synced, these additions
	 * are not marked as initial. Objects of removed namespaces are delivered as deletions
	 * with {@link ResourceEvent#finalStateUnknown()}. Other namespaces are not affected.
	 * {@link #spec()} and the informer's id do not change. The change applies until the
	 * application ends. May be called from the handler.
	 * @param namespaces all namespaces to cache
	 * @throws IllegalArgumentException if the collection is empty, a name is not valid,
	 * or the resource is cluster-scoped
	 * @throws IllegalStateException if another handler or a lister uses the same
	 * informer, because their objects would change as well; if the informer caches the
	 * whole cluster; or if the handler was unregistered
	 * @throws UnsupportedOperationException if this container does not support it
	 */
	default void namespaces(Collection<String> namespaces) {
		throw new UnsupportedOperationException("Cannot change the namespaces of handler '%s': '%s' does not support it"
			.formatted(id(), getClass().getName()));
	}

	/**
	 * Returns the options for the delivery of events.
	 * @return the options
	 */
	HandlerOptions options();

	/**
	 * Returns whether the handler starts with the application.
	 * @return {@code true} if the handler starts automatically
	 */
	boolean isAutoStartup();

	/**
	 * Returns whether the application's readiness waits for the handler's sync.
	 * @return {@code true} if readiness waits for the handler
	 */
	boolean isReadiness();

	/**
	 * Returns whether the handler receives events only while this replica leads.
	 * @return {@code true} if the handler is leader-only
	 */
	default boolean isLeaderOnly() {
		return false;
	}

	/**
	 * Returns whether the handler is leader-only and running while this replica does not
	 * lead. Its informer is running, but no event is delivered.
	 * @return {@code true} if the handler is on standby
	 */
	default boolean isStandby() {
		return false;
	}

	/**
	 * Adds the handler to its informer. The handler receives the current objects as
	 * additions that are marked as initial, then every change. If the informer is not
	 * running, this method starts it, even if other informers wait for
	 * {@code Informers.start()}. Does nothing if the handler and the informer are
	 * running. A leader-only handler is added to its informer whenever this replica
	 * becomes the leader.
	 * @throws IllegalStateException if the handler was unregistered, or if this is its
	 * first start and another handler has changed the namespaces of its informer
	 */
	void start();

	/**
	 * Removes the handler from its informer. First waits until pending events are handled
	 * or the drain timeout has passed. A call from the handler itself does not wait. Does
	 * nothing if the handler is not running.
	 */
	void stop();

	/**
	 * Returns whether the handler is added to its informer, paused or not.
	 * @return {@code true} if the handler is running
	 */
	boolean isRunning();

	/**
	 * Returns the unfilled caches that delivery still waits for. These are the handler's
	 * own cache and the caches that its bean reads.
	 * @return the ids of their informers; empty if delivery does not wait
	 */
	default List<String> awaiting() {
		return List.of();
	}

	/**
	 * Pauses the delivery of events. Events are kept until delivery is resumed.
	 * @throws IllegalStateException if the handler is not running
	 */
	void pause();

	/**
	 * Ends a {@link #pause()}.
	 * @throws IllegalStateException if the handler is not running
	 */
	void resume();

	/**
	 * Delivers every cached object again, as an update whose old and new object are
	 * equal. Sends no request to the API server.
	 * @throws IllegalStateException if the handler is not running
	 */
	void resync();

	/**
	 * Returns whether the handler is running and has finished every event of the initial
	 * state. On standby, returns whether its informer is synced.
	 * @return {@code true} if the handler is synced
	 */
	boolean hasSynced();

	/**
	 * Returns whether the handler was synced at least once, even before its last stop.
	 * @return {@code true} if the handler was ever synced
	 */
	boolean wasSynced();

	/**
	 * Waits until the handler is synced.
	 * @param timeout the maximum time to wait
	 * @return {@code true} if the handler is synced
	 * @throws InterruptedException if the thread is interrupted
	 * @throws IllegalStateException if the handler is not running, or if the handler
	 * calls this method itself
	 */
	boolean awaitSync(Duration timeout) throws InterruptedException;

	/**
	 * Returns the status of the handler. After {@link #stop()}, returns the last status,
	 * but as not synced.
	 * @return the status at this moment
	 */
	HandlerStatus status();

}
