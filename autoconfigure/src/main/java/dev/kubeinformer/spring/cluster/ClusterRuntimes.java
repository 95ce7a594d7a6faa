package dev.kubeinformer.spring.cluster;

import java.util.List;
import java.util.function.Consumer;

import dev.kubeinformer.informer.Informer;

/**
 * Current runtimes of an application's clusters. Thread-safe. Internal to the starter.
 */
public interface ClusterRuntimes {

	/**
	 * Returns all clusters.
	 * @return the default cluster first, then the others in alphabetical order
	 */
	List<ClusterRuntime> all();

	/**
	 * Returns whether there is, or ever was, a cluster other than the default one. Meters
	 * then have the tag {@code cluster}.
	 * @return {@code true} if the application has, or had, several clusters
	 */
	boolean isMultiple();

	/**
	 * Returns whether an informer is started with its cluster, or will be started when
	 * the client is available.
	 * @param informer the informer
	 * @return {@code true} if the cluster of the informer is started and not stopped
	 */
	default boolean isStarted(Informer<?> informer) {
		return all().stream()
			.filter((cluster) -> cluster.name().equals(informer.cluster()))
			.anyMatch((cluster) -> cluster.informers().isRunning());
	}

	/**
	 * Adds a member, such as the registry of handlers, which has resources in each
	 * cluster.
	 * @param member the member. It is called for each cluster that is added, after the
	 * listeners, and for each cluster that is removed, before the listeners
	 * @param begin the consumer that this method calls with all current clusters. No
	 * cluster is added or removed during the call
	 */
	void join(Member member, Consumer<List<ClusterRuntime>> begin);

	/**
	 * Removes a member.
	 * @param member the member
	 */
	void leave(Member member);

	/**
	 * Adds a listener, which is notified of clusters that are added or removed after this
	 * call.
	 * @param listener the listener
	 */
	void addListener(Listener listener);

	/**
	 * Removes a listener.
	 * @param listener the listener
	 */
	void removeListener(Listener listener);

	/**
	 * Member with resources in each cluster.
	 */
	interface Member {

		/**
		 * Adds the member's resources in a cluster.
		 * @param cluster the cluster
		 * @throws RuntimeException if this fails; the cluster is then not added
		 */
		void added(ClusterRuntime cluster);

		/**
		 * Stops and removes the member's resources in a cluster, if there are any.
		 * @param cluster the cluster
		 */
		void removed(ClusterRuntime cluster);

	}

	/**
	 * Listener that is notified when clusters are added or removed at run time.
	 */
	interface Listener {

		/**
		 * Called when a cluster was added, before its handlers are added.
		 * @param cluster the cluster
		 */
		default void added(ClusterRuntime cluster) {
		}

		/**
		 * Called when a cluster was removed, after its handlers were removed.
		 * @param cluster the cluster
		 */
		default void removed(ClusterRuntime cluster) {
		}

	}

}
