package dev.kubeinformer.spring.reconciler;

import java.util.Collection;

import dev.kubeinformer.spring.settings.ClusterKeyAdvice;
import dev.kubeinformer.spring.settings.InformerConfigurationException;
import dev.kubeinformer.spring.settings.InformerIds;

/**
 * Thrown when the configuration names a reconciler that does not exist.
 */
public class UnknownReconcilerKeyException extends InformerConfigurationException {

	private static final long serialVersionUID = 1L;

	UnknownReconcilerKeyException(String key, Collection<String> ids, Collection<String> clusters) {
		super("The configuration has 'kubernetes.reconcilers.%s', but no reconciler has the id '%s'".formatted(key,
				key), action(key, ids, clusters));
	}

	private static String action(String key, Collection<String> ids, Collection<String> clusters) {
		if (ids.isEmpty()) {
			return "Remove the entry, or make sure that the reconciler is a bean: the application has no @Reconciler.";
		}
		String similar = InformerIds.similar(ClusterKeyAdvice.plain(key, clusters), ids);
		return ClusterKeyAdvice.of(key, clusters) + ((similar != null) ? "Did you mean '%s'? ".formatted(similar) : "")
				+ "Correct the key to the id of a reconciler, or remove it. The reconcilers are '%s'; "
					.formatted(String.join("', '", ids))
				+ "what holds for all of them is below 'kubernetes.reconcilers.defaults'. "
				+ "The id is that of the annotation, else the name of the bean after its last dot.";
	}

}
