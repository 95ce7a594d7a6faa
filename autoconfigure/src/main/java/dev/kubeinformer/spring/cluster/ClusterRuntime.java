package dev.kubeinformer.spring.cluster;

import dev.kubeinformer.Informers;
import dev.kubeinformer.spring.settings.ConfiguredSettings;
import dev.kubeinformer.spring.settings.InformerSpecs;

/**
 * What there is for one cluster. Handlers and reconcilers at it are found by its
 * informers. Internal to the starter.
 *
 * @param name the name; {@value InformerClusters#DEFAULT} for the default one
 * @param informers the informers
 * @param configured what the configuration says about informers in this cluster
 * @param specs makes the specs of this cluster's informers
 * @param readiness whether the cluster counts in readiness, and is waited for at the
 * start
 */
public record ClusterRuntime(String name, Informers informers, ConfiguredSettings configured, InformerSpecs specs,
		boolean readiness) {

	/**
	 * Returns the same cluster as another application context sees it.
	 * @param settings what the configuration of that context says
	 * @return the cluster
	 */
	public ClusterRuntime with(ConfiguredSettings settings) {
		ConfiguredSettings own = isDefault() ? settings : settings.forCluster(this.name);
		return new ClusterRuntime(this.name, this.informers, own, this.specs.with(own), this.readiness);
	}

	/**
	 * Returns whether it is the default cluster.
	 * @return whether it is
	 */
	public boolean isDefault() {
		return this.name.equals(InformerClusters.DEFAULT);
	}

}
