package dev.kubeinformer.spring.settings;

import java.util.Collection;

/**
 * What to do about keys of handlers and reconcilers that begin with the name of a
 * cluster, as their ids in logs do.
 */
public final class ClusterKeyAdvice {

	private ClusterKeyAdvice() {
	}

	/**
	 * Returns the advice about a key.
	 * @param key the key as written
	 * @param clusters the names of the clusters
	 * @return a sentence and a blank; empty if the key does not begin with the name of a
	 * cluster
	 */
	public static String of(String key, Collection<String> clusters) {
		int dot = key.indexOf('.');
		return (dot > 0 && clusters.contains(key.substring(0, dot)))
				? "Leave '%s' out: settings are for all clusters. ".formatted(key.substring(0, dot + 1)) : "";
	}

	/**
	 * Returns a key without the name of a cluster.
	 * @param key the key as written
	 * @param clusters the names of the clusters
	 * @return what is after the first dot if a cluster has the name before it, else the
	 * key
	 */
	public static String plain(String key, Collection<String> clusters) {
		return of(key, clusters).isEmpty() ? key : key.substring(key.indexOf('.') + 1);
	}

}
