package dev.kubeinformer.spring.autoconfigure.cluster;

import java.util.Set;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;

import dev.kubeinformer.spring.autoconfigure.client.ClientProvider;
import dev.kubeinformer.spring.autoconfigure.client.ClusterLocator;
import dev.kubeinformer.spring.autoconfigure.leader.LeaseClusters;
import dev.kubeinformer.spring.cluster.InformerClusters;

/**
 * {@link LeaseClusters} from {@code kubernetes.client} and {@code kubernetes.clusters}.
 *
 * @param clusters the clusters
 * @param client the client of the default cluster
 * @param locator the locator, which finds the namespace of the default cluster
 */
public record ConfiguredLeaseClusters(NamedClusters clusters, ClientProvider client,
		ObjectProvider<ClusterLocator> locator) implements LeaseClusters {

	@Override
	public @Nullable LeaseCluster find(String name) {
		if (name.equals(InformerClusters.DEFAULT)) {
			return new LeaseCluster(this.client::get, this::currentNamespace);
		}
		return names().contains(name) ? new LeaseCluster(this.clusters.provider(name)::get,
				() -> this.clusters.client(name).locator().currentNamespace()) : null;
	}

	private String currentNamespace() {
		ClusterLocator present = this.locator.getIfAvailable();
		if (present == null) {
			throw ClusterLocator.noNamespace();
		}
		return present.currentNamespace();
	}

	@Override
	public Set<String> names() {
		return this.clusters.names();
	}

}
