package dev.kubeinformer.spring.settings;

import java.time.Duration;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.resource.ResourceType;
import dev.kubeinformer.shard.Shards;
import dev.kubeinformer.types.Shard;

/**
 * Settings of informers from the application's configuration. In the order of precedence,
 * these are the settings of a handler or reconciler, of a resource, and common settings.
 */
public interface ConfiguredSettings {

	/**
	 * Returns whether informers may connect.
	 * @return {@code true} if informers are enabled
	 */
	default boolean isEnabled() {
		return true;
	}

	/**
	 * Returns the fixed shard of this replica.
	 * @return the shard; {@code null} if objects are not sharded, or their slots move
	 */
	default @Nullable Shard shard() {
		return null;
	}

	/**
	 * Returns the shard slots of each replica, if slots move between the replicas.
	 * @return the shards; {@code null} if no slots move
	 */
	default @Nullable Shards shards() {
		return null;
	}

	/**
	 * Returns the number of lists that the informers of the cluster read concurrently.
	 * @return the number; {@code null} for the default
	 */
	default @Nullable Integer concurrentLists() {
		return null;
	}

	/**
	 * Returns the settings of one handler.
	 * @param id the handler's id
	 * @return the settings, empty if nothing is set
	 */
	InformerSettings forHandler(String id);

	/**
	 * Returns the settings of one reconciler.
	 * @param id the reconciler's id
	 * @return the settings, empty if nothing is set
	 */
	InformerSettings forReconciler(String id);

	/**
	 * Returns the common settings of all reconcilers.
	 * @return the settings
	 */
	InformerSettings forReconcilers();

	/**
	 * Returns the reconcilers with settings.
	 * @return their ids as written in the configuration
	 */
	Set<String> reconcilerKeys();

	/**
	 * Returns the settings of one resource, for both handlers and listers.
	 * @param type the resource
	 * @return the settings, empty if nothing is set
	 */
	InformerSettings forResource(ResourceType<?> type);

	/**
	 * Returns the common settings of all informers and handlers.
	 * @return the settings
	 */
	InformerSettings forAll();

	/**
	 * Returns the handlers with settings.
	 * @return their ids as written in the configuration
	 */
	Set<String> handlerKeys();

	/**
	 * Returns the resources with settings.
	 * @return their names as written in the configuration
	 */
	Set<String> resourceKeys();

	/**
	 * Returns the settings of informers and handlers in a cluster. Common settings apply
	 * where the cluster has no setting.
	 * @param cluster the name of the cluster
	 * @return the settings
	 */
	default ConfiguredSettings forCluster(String cluster) {
		return this;
	}

	/**
	 * Returns the prefix of the properties of resources, for messages.
	 * @return the prefix
	 */
	default String prefix() {
		return "kubernetes.informers";
	}

	/**
	 * Returns the time limit for pending events of handlers and for running reconcilers
	 * when they are stopped.
	 * @return the drain timeout
	 */
	Duration drainTimeout();

}
