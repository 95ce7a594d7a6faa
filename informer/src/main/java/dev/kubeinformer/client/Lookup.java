package dev.kubeinformer.client;

import java.nio.file.Path;
import java.util.List;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.internal.client.ClusterAccess;
import dev.kubeinformer.internal.client.kubeconfig.KubeconfigRequest;
import dev.kubeinformer.internal.client.kubeconfig.Kubeconfigs;

/**
 * What a builder says about the configuration that is wanted.
 *
 * @param origin what named it, for messages; {@code null} for what is usual
 * @param context the context of a kubeconfig; {@code null} or blank for the current one
 * @param contextOption what may name a context, for messages; {@code null} for nothing
 * @param authenticated whether the user of a kubeconfig need not have credentials
 */
record Lookup(@Nullable String origin, @Nullable String context, @Nullable String contextOption,
		boolean authenticated) {

	/**
	 * Reads a kubeconfig.
	 * @param files its files
	 * @param from what usually names them, for messages
	 * @return how the cluster is reached
	 * @throws dev.kubeinformer.types.ClientConfigurationException if it cannot be used
	 */
	ClusterAccess read(List<Path> files, String from) {
		return Kubeconfigs.read(new KubeconfigRequest(files, (this.origin != null) ? this.origin : from, this.context,
				this.contextOption, this.authenticated));
	}

}
