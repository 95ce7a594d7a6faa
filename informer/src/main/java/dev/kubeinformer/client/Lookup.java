package dev.kubeinformer.client;

import java.nio.file.Path;
import java.util.List;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.internal.client.ClusterAccess;
import dev.kubeinformer.internal.client.kubeconfig.KubeconfigRequest;
import dev.kubeinformer.internal.client.kubeconfig.Kubeconfigs;

/**
 * Parameters of the search for a configuration, as set by a builder.
 *
 * @param origin the name of the configuration in messages; {@code null} for the default
 * name
 * @param context the context of a kubeconfig; {@code null} or blank for the current one
 * @param contextOption the setting that selects a context, for messages; {@code null} if
 * there is none
 * @param credentialsElsewhere {@code true} if a kubeconfig user without credentials is
 * accepted, because the application sets other credentials
 */
record Lookup(@Nullable String origin, @Nullable String context, @Nullable String contextOption,
		boolean credentialsElsewhere) {

	/**
	 * Reads a kubeconfig.
	 * @param files the files of the kubeconfig
	 * @param from the default name of the files in messages
	 * @return the access to the cluster
	 * @throws dev.kubeinformer.types.ClientConfigurationException if the kubeconfig is
	 * not usable
	 */
	ClusterAccess read(List<Path> files, String from) {
		return Kubeconfigs.read(new KubeconfigRequest(files, (this.origin != null) ? this.origin : from, this.context,
				this.contextOption, this.credentialsElsewhere));
	}

}
