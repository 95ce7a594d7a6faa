package dev.kubeinformer.spring.cluster;

import java.util.Collection;

import dev.kubeinformer.spring.settings.InformerConfigurationException;
import dev.kubeinformer.spring.settings.InformerIds;

/**
 * Thrown when a cluster is named that does not exist.
 */
public class UnknownClusterException extends InformerConfigurationException {

	private static final long serialVersionUID = 1L;

	/**
	 * Creates an exception.
	 * @param where the annotation and its place
	 * @param name the name as written
	 * @param names the names of the clusters that exist, without the default one
	 */
	public UnknownClusterException(String where, String name, Collection<String> names) {
		super("%s names the cluster '%s', but there is no such cluster".formatted(where, name), action(name, names));
	}

	private static String action(String name, Collection<String> names) {
		if (names.isEmpty()) {
			return "Say where it is, by 'kubernetes.clusters.%s.url' or 'kubernetes.clusters.%s.kubeconfig': no cluster has a name."
				.formatted(name, name);
		}
		String similar = InformerIds.similar(name, names);
		return ((similar != null) ? "Did you mean '%s'? ".formatted(similar) : "")
				+ "Correct the name, or say where the cluster is below 'kubernetes.clusters.%s'. The clusters are '%s'; "
					.formatted(name, String.join("', '", names))
				+ "'default' is that of 'kubernetes.client', and '*' all others.";
	}

}
