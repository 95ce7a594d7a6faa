package dev.kubeinformer.spring.cluster;

import java.util.List;
import java.util.function.Consumer;

import dev.kubeinformer.informer.Informer;

/**
 * What there is for each cluster of an application, as it is now. May be used by any
 * thread. Internal to the starter.
 */
public interface ClusterRuntimes {

	/**
	 * Returns all clusters.
	 * @return the default one first, then the others in alphabetical order of their names
	 */
	List<ClusterRuntime> all();

	/**
	 * Returns whether there are clusters beside the default one, or there were: then
	 * meters have the tag {@code cluster}.
	 * @return whether there are
	 */
	boolean isMultiple();

	/**
	 * Returns whether an informer is started with its cluster, or will be as soon as the
	 * client is there.
	 * @param informer the informer
	 * @return whether its cluster is started and not stopped
	 */
	default boolean isStarted(Informer<?> informer) {
		return all().stream()
			.filter((cluster) -> cluster.name().equals(informer.cluster()))
			.anyMatch((cluster) -> cluster.informers().isRunning());
	}

	/**
	 * Joins those who have something in each cluster.
	 * @param member does something in each cluster that is added, after listeners were
	 * notified of it, and undoes it when the cluster is removed, before they are
	 * @param begin is called at once with all clusters; none is added or removed
	 * meanwhile
	 */
	void join(Member member, Consumer<List<ClusterRuntime>> begin);

	/**
	 * Ends a membership.
	 * @param member the member
	 */
	void leave(Member member);

	/**
	 * Adds a listener, which is notified of clusters that come and go from now on.
	 * @param listener the listener
	 */
	void addListener(Listener listener);

	/**
	 * Removes a listener.
	 * @param listener the listener
	 */
	void removeListener(Listener listener);

	/**
	 * What has something in each cluster.
	 */
	interface Member {

		/**
		 * Adds what it has in a cluster.
		 * @param cluster the cluster
		 * @throws RuntimeException if that cannot be; the cluster is not added then
		 */
		void added(ClusterRuntime cluster);

		/**
		 * Stops and removes what it has in a cluster. It may have nothing.
		 * @param cluster the cluster
		 */
		void removed(ClusterRuntime cluster);

	}

	/**
	 * Listener to clusters that are added or removed at run time.
	 */
	interface Listener {

		/**
		 * Called when a cluster was added, before its handlers are.
		 * @param cluster the cluster
		 */
		default void added(ClusterRuntime cluster) {
		}

		/**
		 * Called when a cluster was removed, after its handlers were.
		 * @param cluster the cluster
		 */
		default void removed(ClusterRuntime cluster) {
		}

	}

}
