package dev.kubeinformer.spring.cluster;

import dev.kubeinformer.Informers;
import dev.kubeinformer.informer.Informer;
import dev.kubeinformer.spring.settings.ConfiguredSettings;
import dev.kubeinformer.spring.settings.InformerSpecs;
import dev.kubeinformer.spring.settings.Setting;

/**
 * One cluster while the application runs: its informers and their configuration. A
 * handler or reconciler belongs to the cluster whose {@link Informers} it uses. Internal
 * to the starter.
 *
 * @param name the name; {@value InformerClusters#DEFAULT} for the default cluster
 * @param informers the informers
 * @param configured the configuration of informers in this cluster
 * @param specs the factory of the specs of this cluster's informers
 * @param readiness {@code true} if readiness includes the cluster and the start waits for
 * it
 */
public record ClusterRuntime(String name, Informers informers, ConfiguredSettings configured, InformerSpecs specs,
		boolean readiness) {

	/**
	 * Returns the same cluster with the configuration of another application context.
	 * @param settings the configuration of that context
	 * @return the cluster
	 */
	public ClusterRuntime with(ConfiguredSettings settings) {
		ConfiguredSettings own = isDefault() ? settings : settings.forCluster(this.name);
		return new ClusterRuntime(this.name, this.informers, own, this.specs.with(own), this.readiness);
	}

	/**
	 * Returns whether readiness waits for an informer that only listers use.
	 * @param informer an informer of this cluster
	 * @return {@code true} if the cluster and the informer's resource are both configured
	 * to be part of readiness
	 */
	public boolean isInReadiness(Informer<?> informer) {
		return this.readiness && this.configured.forResource(informer.spec().type())
			.orElse(this.configured.forAll())
			.get(Setting.READINESS, true);
	}

	/**
	 * Returns whether this is the default cluster.
	 * @return {@code true} for the default cluster
	 */
	public boolean isDefault() {
		return this.name.equals(InformerClusters.DEFAULT);
	}

}
