package dev.kubeinformer.spring.cluster;

import dev.kubeinformer.controller.ReconcilerContainer;
import dev.kubeinformer.handler.HandlerRegistration;
import dev.kubeinformer.informer.Informer;
import dev.kubeinformer.spring.settings.InformerIds;
import dev.kubeinformer.types.ClusterName;

/**
 * Id of an informer, handler or reconciler within its cluster, without the name of the
 * cluster. Internal to the starter.
 *
 * @param cluster the name of the cluster
 * @param id the id, such as {@code pods} for {@code edge.pods}
 */
public record ClusterScopedId(String cluster, String id) {

	/**
	 * Returns the id of an informer.
	 * @param informer the informer
	 * @return the id within the cluster
	 */
	public static ClusterScopedId of(Informer<?> informer) {
		return within(informer.cluster(), informer.id());
	}

	/**
	 * Returns the id of a handler.
	 * @param informer the informer of the handler
	 * @param handler the handler
	 * @return the id within the cluster
	 */
	public static ClusterScopedId of(Informer<?> informer, HandlerRegistration handler) {
		return within(informer.cluster(), handler.id());
	}

	/**
	 * Returns the id of a reconciler.
	 * @param reconciler the container of the reconciler
	 * @return the id within the cluster
	 */
	public static ClusterScopedId of(ReconcilerContainer reconciler) {
		String local = reconciler.spec().id();
		String suffix = "." + local;
		String whole = reconciler.id();
		return whole.endsWith(suffix) ? new ClusterScopedId(whole.substring(0, whole.length() - suffix.length()), local)
				: new ClusterScopedId(ClusterName.DEFAULT, whole);
	}

	/**
	 * Returns an id within a cluster.
	 * @param cluster the name of the cluster
	 * @param id the id, with or without the name of the cluster
	 * @return the id within the cluster
	 */
	public static ClusterScopedId within(String cluster, String id) {
		return new ClusterScopedId(cluster, InformerIds.plain(cluster, id));
	}

	/**
	 * Returns the full id, which is unique among all clusters.
	 * @return the id, prefixed with the name of the cluster unless it is the default
	 * cluster
	 */
	public String whole() {
		return InformerIds.qualified(this.cluster, this.id);
	}

}
