package dev.kubeinformer.internal.client.kubeconfig;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.internal.client.ClusterAccess;

/**
 * Content of a kubeconfig, or of several kubeconfigs that were merged. As in client-go,
 * absent texts are empty. {@link #toString()} does not show values.
 *
 * @param currentContext the name of the current context
 * @param contexts the contexts by name
 * @param clusters the clusters by name
 * @param users the users by name
 */
record KubeconfigContent(String currentContext, Map<String, ContextEntry> contexts, Map<String, ClusterEntry> clusters,
		Map<String, UserEntry> users) {

	/**
	 * Merges files as in client-go ({@code tools/clientcmd/loader.go}): if several
	 * entries have the same name, only the first is used, and their fields are not
	 * merged. The first current context is used.
	 * @param files the contents of the files
	 * @return the merged content
	 */
	static KubeconfigContent merge(List<KubeconfigContent> files) {
		String currentContext = "";
		Map<String, ContextEntry> contexts = new LinkedHashMap<>();
		Map<String, ClusterEntry> clusters = new LinkedHashMap<>();
		Map<String, UserEntry> users = new LinkedHashMap<>();
		for (KubeconfigContent file : files) {
			currentContext = currentContext.isEmpty() ? file.currentContext : currentContext;
			file.contexts.forEach(contexts::putIfAbsent);
			file.clusters.forEach(clusters::putIfAbsent);
			file.users.forEach(users::putIfAbsent);
		}
		return new KubeconfigContent(currentContext, contexts, clusters, users);
	}

	/**
	 * Returns whether the kubeconfig is empty.
	 * @return {@code true} if it has no entries
	 */
	boolean isEmpty() {
		return this.contexts.isEmpty() && this.clusters.isEmpty() && this.users.isEmpty();
	}

	@Override
	public String toString() {
		return "KubeconfigContent";
	}

	/**
	 * Context: a cluster, a user and a namespace.
	 *
	 * @param place the entry of the context in the kubeconfig, for messages
	 * @param cluster the name of the cluster
	 * @param user the name of the user
	 * @param namespace the namespace
	 */
	record ContextEntry(Place place, String cluster, String user, String namespace) {

	}

	/**
	 * Cluster: a server and how to connect to it.
	 *
	 * @param place the entry of the cluster in the kubeconfig, for messages
	 * @param folder the directory against which relative paths are resolved; {@code null}
	 * to keep them relative
	 * @param server the URL of the server
	 * @param tlsServerName the name in the certificate of the server
	 * @param insecure {@code true} to not verify the certificate
	 * @param authority the file with the certificate authorities
	 * @param authorityData the certificate authorities, inline
	 * @param proxy the URL of the proxy
	 * @param extensions the extensions by name
	 */
	record ClusterEntry(Place place, @Nullable Path folder, String server, String tlsServerName, boolean insecure,
			String authority, String authorityData, String proxy, Map<String, @Nullable Object> extensions) {

		@Override
		public String toString() {
			return "ClusterEntry";
		}

	}

	/**
	 * User: its credentials.
	 *
	 * @param place the entry of the user in the kubeconfig, for messages
	 * @param folder the directory against which relative paths are resolved; {@code null}
	 * to keep them relative
	 * @param certificate the file with the client certificate
	 * @param certificateData the client certificate, inline
	 * @param key the file with the key of the certificate
	 * @param keyData the key of the certificate, inline
	 * @param token the bearer token
	 * @param tokenFile the file with the bearer token
	 * @param username the name for basic authentication
	 * @param password the password for basic authentication
	 * @param exec the credential plugin; {@code null} for none
	 * @param provider the auth provider; {@code null} for none
	 * @param impersonation the impersonated user
	 */
	record UserEntry(Place place, @Nullable Path folder, String certificate, String certificateData, String key,
			String keyData, String token, String tokenFile, String username, String password, @Nullable ExecEntry exec,
			ClusterAccess.@Nullable Provider provider, ClusterAccess.Impersonation impersonation) {

		/**
		 * Returns whether the user has a client certificate, so that a key is needed,
		 * too.
		 * @return {@code true} if the user has a certificate
		 */
		boolean hasCertificate() {
			return !this.certificate.isEmpty() || !this.certificateData.isEmpty();
		}

		/**
		 * Returns whether the user has credentials of any kind.
		 * @return {@code true} if the user has credentials
		 */
		boolean hasCredentials() {
			return hasCertificate() || !this.token.isEmpty() || !this.tokenFile.isEmpty() || !this.username.isEmpty()
					|| this.exec != null || this.provider != null;
		}

		@Override
		public String toString() {
			return "UserEntry";
		}

	}

	/**
	 * Credential plugin of a user.
	 *
	 * @param apiVersion the version of {@code ExecCredential}
	 * @param command the command
	 * @param arguments the arguments
	 * @param environment the environment variables, in their order
	 * @param providesClusterInfo {@code true} to pass information about the cluster
	 * @param interactiveMode {@code Never}, {@code IfAvailable} or {@code Always}
	 * @param installHint how to install the command
	 */
	record ExecEntry(String apiVersion, String command, List<String> arguments, List<Variable> environment,
			boolean providesClusterInfo, String interactiveMode, String installHint) {

		@Override
		public String toString() {
			return "ExecEntry";
		}

	}

	/**
	 * Environment variable of a credential plugin.
	 *
	 * @param name the name
	 * @param value the value
	 */
	record Variable(String name, String value) {

		@Override
		public String toString() {
			return "Variable";
		}

	}

}
