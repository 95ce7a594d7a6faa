package dev.kubeinformer.internal.client;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * Access to a cluster, as described by a configuration such as a kubeconfig. Blank texts
 * count as absent. This is only a description: there is no connection yet, no plugin has
 * run, and no file but the configuration was read.
 *
 * @param place the name of the configuration in messages, as the subject of a sentence
 * @param origin the name of the configuration in the log, without credentials
 * @param server the API server
 * @param user the user
 * @param namespace the namespace; {@code null} if none is set
 */
public record ClusterAccess(String place, String origin, Server server, User user, @Nullable String namespace) {

	/**
	 * API server of a cluster.
	 *
	 * @param url the valid URL, without a slash at its end
	 * @param tlsServerName the name that is sent as SNI and that the certificate must
	 * match; {@code null} for the host of the URL
	 * @param insecure {@code true} to not verify the certificate
	 * @param authority the authorities that may sign the certificate; {@code null} for
	 * the authorities of the JVM
	 * @param proxy the URL of the proxy; {@code null} if none is set
	 */
	public record Server(String url, @Nullable String tlsServerName, boolean insecure, @Nullable Content authority,
			@Nullable String proxy) {

		/** Returns a text without URLs, which may contain users and passwords. */
		@Override
		public String toString() {
			return "Server";
		}

	}

	/**
	 * User with credentials. If several kinds of credentials are configured, all are
	 * included, and the rules of client-go decide which are used. {@link #toString()}
	 * does not show credentials.
	 *
	 * @param token the bearer token; {@code null} for none
	 * @param tokenFile the file of a token, which takes precedence over the token;
	 * {@code null} for none
	 * @param certificate the client certificate; {@code null} for none
	 * @param key the private key of the client certificate; {@code null} for none
	 * @param basic name and password; {@code null} for none
	 * @param plugin the credential plugin; {@code null} for none
	 * @param provider the auth provider; {@code null} for none
	 * @param impersonation the impersonated user
	 */
	public record User(@Nullable String token, @Nullable Path tokenFile, @Nullable Content certificate,
			@Nullable Content key, @Nullable Basic basic, @Nullable Plugin plugin, @Nullable Provider provider,
			Impersonation impersonation) {

		/** Returns a user without credentials. */
		public static User anonymous() {
			return new User(null, null, null, null, null, null, null, Impersonation.none());
		}

		@Override
		public String toString() {
			return "User";
		}

	}

	/**
	 * Name and password.
	 *
	 * @param name the name
	 * @param password the password
	 */
	public record Basic(String name, String password) {

		@Override
		public String toString() {
			return "Basic";
		}

	}

	/**
	 * Credential plugin ({@code exec} of a kubeconfig).
	 *
	 * @param apiVersion the version of {@code ExecCredential}
	 * @param command the command: a name without a directory, or an absolute path
	 * @param arguments its arguments
	 * @param environment the environment variables to add to those of this process, in
	 * order
	 * @param providesClusterInfo {@code true} to pass information about the cluster
	 * @param interactiveMode {@code Never}, {@code IfAvailable} or {@code Always}
	 * @param installHint the installation hint; {@code null} for none
	 * @param config the cluster's extension {@code client.authentication.k8s.io/exec}, as
	 * a JSON value; {@code null} for none
	 */
	public record Plugin(String apiVersion, String command, List<String> arguments, Map<String, String> environment,
			boolean providesClusterInfo, String interactiveMode, @Nullable String installHint,
			@Nullable Object config) {

		@Override
		public String toString() {
			return "Plugin[" + this.command + "]";
		}

	}

	/**
	 * Auth provider of a kubeconfig.
	 *
	 * @param name its name
	 * @param config its configuration
	 * @param store the store of the configuration; {@code null} for none
	 */
	public record Provider(String name, Map<String, String> config, @Nullable ProviderStore store) {

		@Override
		public String toString() {
			return "Provider[" + this.name + "]";
		}

	}

	/**
	 * Store of an auth provider's configuration, such as a kubeconfig. Other processes
	 * may change the configuration at any time. The message of an exception is the end of
	 * a sentence; it has the reason but no values.
	 */
	public interface ProviderStore {

		/**
		 * Reads the current configuration.
		 * @return the configuration
		 * @throws IOException if the configuration cannot be read, or now belongs to
		 * another provider
		 */
		Map<String, String> read() throws IOException;

		/**
		 * Changes only the given values.
		 * @param values the new values by their keys
		 * @throws IOException if the values cannot be written, or the configuration now
		 * belongs to another provider
		 */
		void write(Map<String, String> values) throws IOException;

		/**
		 * Returns the name of the store, for messages.
		 * @return the name, as a noun within a sentence
		 */
		String name();

	}

	/**
	 * User that requests impersonate.
	 *
	 * @param user the name; {@code null} if no user is set
	 * @param groups the groups
	 * @param uid the UID; {@code null} for none
	 * @param extra other attributes by name
	 */
	public record Impersonation(@Nullable String user, List<String> groups, @Nullable String uid,
			Map<String, List<String>> extra) {

		/** Returns an instance without a user. */
		public static Impersonation none() {
			return new Impersonation(null, List.of(), null, Map.of());
		}

	}

}
