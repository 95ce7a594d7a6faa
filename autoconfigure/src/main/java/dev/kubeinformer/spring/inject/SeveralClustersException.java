package dev.kubeinformer.spring.inject;

import dev.kubeinformer.spring.settings.InformerConfigurationException;

/**
 * Thrown when a lister or an informer is injected for more than one cluster.
 */
public class SeveralClustersException extends InformerConfigurationException {

	private static final long serialVersionUID = 1L;

	SeveralClustersException(String where, String written, String type) {
		super("%s names the clusters '%s', but a '%s' shows the objects of one cluster".formatted(where, written, type),
				"Name one cluster, or inject 'ClusterListers<T>', which has a lister for each: "
						+ "@InformerSource(cluster = \"*\") ClusterListers<V1Pod>.");
	}

	private SeveralClustersException(String message, String action) {
		super(message, action);
	}

	static SeveralClustersException contradiction(String where, String qualifier, String written) {
		return new SeveralClustersException(
				"%s names the cluster '%s', but its qualifier is '%s'".formatted(where, written, qualifier),
				"Remove one of them: @Qualifier(\"edge\") and @InformerSource(cluster = \"edge\") mean the same.");
	}

}
