package dev.kubeinformer.spring.autoconfigure.leader;

import java.util.Collection;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.spring.settings.InformerConfigurationException;
import dev.kubeinformer.spring.settings.InformerIds;

/**
 * Thrown when the Lease of the leader is to be in a cluster that is not configured.
 */
public class UnknownLeaseClusterException extends InformerConfigurationException {

	private static final long serialVersionUID = 1L;

	UnknownLeaseClusterException(String name, Collection<String> names) {
		super("'kubernetes.leader.cluster' is '%s', but no cluster of that name is configured".formatted(name),
				action(name, names));
	}

	private static String action(String name, Collection<String> names) {
		@Nullable String similar = InformerIds.similar(name, names);
		return ((similar != null) ? "Did you mean '%s'? ".formatted(similar) : "")
				+ "Correct the name, or say where the cluster is below 'kubernetes.clusters.%s'. ".formatted(name)
				+ (names.isEmpty() ? "No cluster has a name; "
						: "The clusters are '%s'; ".formatted(String.join("', '", names)))
				+ "'default' is that of 'kubernetes.client'. One that is added at run time comes too late.";
	}

}
