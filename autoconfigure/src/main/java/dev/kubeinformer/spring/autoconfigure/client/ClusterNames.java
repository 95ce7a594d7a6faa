package dev.kubeinformer.spring.autoconfigure.client;

import java.util.Set;

/**
 * Names of the configured clusters except the default one. Internal to the starter.
 */
@FunctionalInterface
public interface ClusterNames {

	/**
	 * Returns the names.
	 * @return the names
	 */
	Set<String> names();

}
