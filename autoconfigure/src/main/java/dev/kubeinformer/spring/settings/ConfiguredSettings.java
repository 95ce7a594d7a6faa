package dev.kubeinformer.spring.settings;

import java.time.Duration;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.resource.ResourceType;
import dev.kubeinformer.types.Shard;

/**
 * What the application's configuration says about informers, in the order of precedence:
 * by handler or reconciler, by resource, for all.
 */
public interface ConfiguredSettings {

	/**
	 * Returns whether informers may connect.
	 * @return whether they are on
	 */
	default boolean isEnabled() {
		return true;
	}

	/**
	 * Returns which shard of the objects this replica has.
	 * @return the shard; {@code null} if objects are not shared among replicas
	 */
	default @Nullable Shard shard() {
		return null;
	}

	/**
	 * Returns how many lists the informers of the cluster read at once.
	 * @return the number; {@code null} for the default
	 */
	default @Nullable Integer concurrentLists() {
		return null;
	}

	/**
	 * Returns what is said about one handler.
	 * @param id the handler's id
	 * @return the settings, empty if nothing is said
	 */
	InformerSettings forHandler(String id);

	/**
	 * Returns what is said about one reconciler.
	 * @param id the reconciler's id
	 * @return the settings, empty if nothing is said
	 */
	InformerSettings forReconciler(String id);

	/**
	 * Returns what is said about all reconcilers.
	 * @return the settings
	 */
	InformerSettings forReconcilers();

	/**
	 * Returns the reconcilers about which something is said.
	 * @return their ids as they are written in the configuration
	 */
	Set<String> reconcilerKeys();

	/**
	 * Returns what is said about one resource, for handlers and listers alike.
	 * @param type the resource
	 * @return the settings, empty if nothing is said
	 */
	InformerSettings forResource(ResourceType<?> type);

	/**
	 * Returns what is said about all informers and handlers.
	 * @return the settings
	 */
	InformerSettings forAll();

	/**
	 * Returns the handlers about which something is said.
	 * @return their ids as they are written in the configuration
	 */
	Set<String> handlerKeys();

	/**
	 * Returns the resources about which something is said.
	 * @return their names as they are written in the configuration
	 */
	Set<String> resourceKeys();

	/**
	 * Returns what is said about informers and handlers in a cluster: by its name, and
	 * else about all clusters.
	 * @param cluster the name of the cluster
	 * @return the settings
	 */
	default ConfiguredSettings forCluster(String cluster) {
		return this;
	}

	/**
	 * Returns the prefix of what is said about resources, for messages.
	 * @return the prefix
	 */
	default String prefix() {
		return "kubernetes.informers";
	}

	/**
	 * Returns how long handlers may still handle pending events, and runs of reconcilers
	 * may go on, when they are stopped.
	 * @return the limit
	 */
	Duration drainTimeout();

}
