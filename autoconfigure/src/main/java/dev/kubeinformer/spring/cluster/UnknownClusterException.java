package dev.kubeinformer.spring.cluster;

import java.util.Collection;

import dev.kubeinformer.spring.settings.InformerConfigurationException;
import dev.kubeinformer.spring.settings.InformerIds;

/**
 * Thrown when an annotation names a cluster that does not exist.
 */
public class UnknownClusterException extends InformerConfigurationException {

	private static final long serialVersionUID = 1L;

	/**
	 * Creates an exception.
	 * @param where the annotation and where it is declared
	 * @param name the name as written
	 * @param names the names of the clusters that exist, without the default one
	 */
	public UnknownClusterException(String where, String name, Collection<String> names) {
		super("%s names the cluster '%s', which does not exist".formatted(where, name), action(name, names));
	}

	private static String action(String name, Collection<String> names) {
		if (names.isEmpty()) {
			return ("Configure it with 'kubernetes.clusters.%s.url' or 'kubernetes.clusters.%s.kubeconfig': "
					+ "there are no named clusters.")
				.formatted(name, name);
		}
		String similar = InformerIds.similar(name, names);
		return ((similar != null) ? "Did you mean '%s'? ".formatted(similar) : "")
				+ ("Correct the name, or configure the cluster below 'kubernetes.clusters.%s'. The "
						+ "clusters are '%s'; ")
					.formatted(name, String.join("', '", names))
				+ "'default' is the cluster of 'kubernetes.client', and '*' means all others.";
	}

}
