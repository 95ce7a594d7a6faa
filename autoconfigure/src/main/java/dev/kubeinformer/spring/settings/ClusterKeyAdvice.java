package dev.kubeinformer.spring.settings;

import java.util.Collection;

/**
 * Advice for configuration keys of handlers and reconcilers that begin with the name of a
 * cluster, such as {@code edge.pods}. Logs show ids in this form. The key must be
 * {@code pods}, because its settings apply to all clusters.
 */
public final class ClusterKeyAdvice {

	private ClusterKeyAdvice() {
	}

	/**
	 * Returns the advice for a key.
	 * @param key the key as written
	 * @param clusters the names of the clusters
	 * @return a sentence followed by a blank; empty if the key does not begin with the
	 * name of a cluster
	 */
	public static String of(String key, Collection<String> clusters) {
		int dot = key.indexOf('.');
		return (dot > 0 && clusters.contains(key.substring(0, dot)))
				? "Remove '%s': settings apply to all clusters. ".formatted(key.substring(0, dot + 1)) : "";
	}

	/**
	 * Returns a key without the name of a cluster.
	 * @param key the key as written
	 * @param clusters the names of the clusters
	 * @return the part after the first dot if the part before it is the name of a
	 * cluster, otherwise the key
	 */
	public static String plain(String key, Collection<String> clusters) {
		return of(key, clusters).isEmpty() ? key : key.substring(key.indexOf('.') + 1);
	}

}
