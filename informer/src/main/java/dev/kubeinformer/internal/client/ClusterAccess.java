package dev.kubeinformer.internal.client;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * How a cluster is reached, as a configuration says it. Blank texts are absent. Nothing
 * is connected, run or read yet, but what says so.
 *
 * @param place what says it, as the subject of a sentence, for messages
 * @param origin what says it, for a log line, without credentials
 * @param server the API server
 * @param user who asks
 * @param namespace the namespace; {@code null} if none is named
 */
public record ClusterAccess(String place, String origin, Server server, User user, @Nullable String namespace) {

	/**
	 * The API server.
	 *
	 * @param url its URL, valid and without a slash at its end
	 * @param tlsServerName the name that is sent as SNI and that the certificate must
	 * have; {@code null} for the host of the URL
	 * @param insecure whether the certificate is not verified
	 * @param authority the authorities that may sign it; {@code null} for those that the
	 * JVM trusts
	 * @param proxy the URL of the proxy; {@code null} if none is named
	 */
	public record Server(String url, @Nullable String tlsServerName, boolean insecure, @Nullable Content authority,
			@Nullable String proxy) {

		/** Returns a text without URLs, which may hold users and passwords. */
		@Override
		public String toString() {
			return "Server";
		}

	}

	/**
	 * Who asks. Where several kinds of credentials are named, all are here; the rules of
	 * client-go say which count. The text form shows none.
	 *
	 * @param token the bearer token; {@code null} for none
	 * @param tokenFile the file of a token, which counts before the token; {@code null}
	 * for none
	 * @param certificate the client certificate; {@code null} for none
	 * @param key its key; {@code null} for none
	 * @param basic name and password; {@code null} for none
	 * @param plugin the credential plugin; {@code null} for none
	 * @param provider the auth provider; {@code null} for none
	 * @param impersonation as whom requests are made
	 */
	public record User(@Nullable String token, @Nullable Path tokenFile, @Nullable Content certificate,
			@Nullable Content key, @Nullable Basic basic, @Nullable Plugin plugin, @Nullable Provider provider,
			Impersonation impersonation) {

		/** A user without credentials. */
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
	 * A credential plugin ({@code exec} of a kubeconfig).
	 *
	 * @param apiVersion the version of {@code ExecCredential}
	 * @param command the command; a path with a folder is absolute already
	 * @param arguments its arguments
	 * @param environment variables that are added to those of this process, in order
	 * @param providesClusterInfo whether it is told about the cluster
	 * @param interactiveMode {@code Never}, {@code IfAvailable} or {@code Always}
	 * @param installHint how it is installed; {@code null} if that is not said
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
	 * An auth provider of a kubeconfig.
	 *
	 * @param name its name
	 * @param config its configuration
	 * @param store what keeps the configuration; {@code null} if nothing does
	 */
	public record Provider(String name, Map<String, String> config, @Nullable ProviderStore store) {

		@Override
		public String toString() {
			return "Provider[" + this.name + "]";
		}

	}

	/**
	 * Keeps the configuration of an auth provider. Others may change it at any time. The
	 * messages of exceptions say why something failed, as the end of a sentence, and hold
	 * no values.
	 */
	public interface ProviderStore {

		/**
		 * Reads the configuration anew.
		 * @return the configuration
		 * @throws IOException if it cannot be read, or is that of another provider now
		 */
		Map<String, String> read() throws IOException;

		/**
		 * Changes values, and nothing else.
		 * @param values the new values by their keys
		 * @throws IOException if they cannot be written, or the configuration is that of
		 * another provider now
		 */
		void write(Map<String, String> values) throws IOException;

		/**
		 * Returns what keeps the configuration, for messages.
		 * @return the noun of a sentence
		 */
		String name();

	}

	/**
	 * Another user as whom requests are made.
	 *
	 * @param user the name; {@code null} if nobody is named
	 * @param groups the groups
	 * @param uid the UID; {@code null} for none
	 * @param extra other attributes, by their names
	 */
	public record Impersonation(@Nullable String user, List<String> groups, @Nullable String uid,
			Map<String, List<String>> extra) {

		/** Nobody else. */
		public static Impersonation none() {
			return new Impersonation(null, List.of(), null, Map.of());
		}

	}

}
