package dev.kubeinformer.spring.inject;

import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;

import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.informer.cache.Lister;

import dev.kubeinformer.Informers;
import dev.kubeinformer.informer.Informer;
import dev.kubeinformer.spring.cluster.ClusterListers;
import dev.kubeinformer.spring.cluster.ClusterRuntime;

/**
 * Default {@link ClusterListers} of an injection point.
 *
 * @param <T> the model class
 */
final class DefaultClusterListers<T extends KubernetesObject> implements ClusterListers<T> {

	private final Supplier<Stream<ClusterRuntime>> clusters;

	private final Function<ClusterRuntime, Informer<T>> informers;

	private final Map<String, Known<T>> known = new ConcurrentHashMap<>();

	/**
	 * Creates the listers.
	 * @param clusters the supplier of the currently selected clusters
	 * @param informers the function that returns the informer of a cluster
	 */
	DefaultClusterListers(Supplier<Stream<ClusterRuntime>> clusters, Function<ClusterRuntime, Informer<T>> informers) {
		this.clusters = clusters;
		this.informers = informers;
	}

	/**
	 * Registers the informer of a cluster if the cluster is selected, so that it starts
	 * with the other informers of the cluster.
	 * @param cluster the cluster
	 */
	void prepare(ClusterRuntime cluster) {
		if (this.clusters.get().anyMatch((each) -> each.name().equals(cluster.name()))) {
			lister(cluster);
		}
	}

	/**
	 * Removes the lister of a removed cluster.
	 * @param cluster the cluster
	 */
	void forget(ClusterRuntime cluster) {
		this.known.remove(cluster.name());
	}

	private Lister<T> lister(ClusterRuntime cluster) {
		Known<T> present = this.known.get(cluster.name());
		if (present == null || present.informers() != cluster.informers()) {
			present = new Known<>(cluster.informers(), this.informers.apply(cluster).lister());
			this.known.put(cluster.name(), present);
		}
		return present.lister();
	}

	@Override
	public Lister<T> get(String cluster) {
		return this.clusters.get()
			.filter((each) -> each.name().equals(cluster))
			.findFirst()
			.map(this::lister)
			.orElseThrow(() -> new IllegalArgumentException("There is no cluster '%s' here; the clusters are %s"
				.formatted(cluster, this.clusters.get().map(ClusterRuntime::name).toList())));
	}

	@Override
	public Map<String, Lister<T>> all() {
		SortedMap<String, Lister<T>> all = new TreeMap<>();
		this.clusters.get().forEach((cluster) -> {
			try {
				all.put(cluster.name(), lister(cluster));
			}
			catch (IllegalStateException ex) {
				if (this.clusters.get().anyMatch((each) -> each.informers() == cluster.informers())) {
					throw ex;
				}
				// The cluster was removed in the meantime.
			}
		});
		return all;
	}

	/**
	 * Lister of a cluster.
	 *
	 * @param <T> the model class
	 * @param informers all informers of the cluster
	 * @param lister the lister
	 */
	private record Known<T extends KubernetesObject>(Informers informers, Lister<T> lister) {

	}

}
