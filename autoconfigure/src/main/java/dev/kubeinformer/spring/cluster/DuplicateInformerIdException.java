package dev.kubeinformer.spring.cluster;

import dev.kubeinformer.spring.settings.InformerConfigurationException;

/**
 * Thrown when informers of two clusters would have the same id, because the name of a
 * cluster is that of a resource.
 */
public class DuplicateInformerIdException extends InformerConfigurationException {

	private static final long serialVersionUID = 1L;

	DuplicateInformerIdException(String id, String cluster, String other) {
		super("The id '%s' is that of an informer in cluster '%s' and of one in cluster '%s'".formatted(id, cluster,
				other),
				"Rename the cluster '%s': its name and a resource make the name of another resource with its group."
					.formatted(cluster.equals(InformerClusters.DEFAULT) ? other : cluster));
	}

}
