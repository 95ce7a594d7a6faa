package dev.kubeinformer.client;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.internal.client.ClusterAccess;
import dev.kubeinformer.internal.client.Content;
import dev.kubeinformer.types.ClientConfigurationException;

/**
 * Service account of a pod, read as {@code rest.InClusterConfig} of client-go does.
 *
 * @param environment the environment
 */
record ServiceAccount(ClientEnvironment environment) {

	static final String HOST = "KUBERNETES_SERVICE_HOST";

	static final String PORT = "KUBERNETES_SERVICE_PORT";

	private static final String AUTHORITY = "ca.crt";

	private static final int LARGEST_PORT = 65535;

	static ServiceAccount of(ClientEnvironment environment) {
		return new ServiceAccount(environment);
	}

	/**
	 * Returns whether this process runs in a pod that has a service account.
	 * @return {@code true} if the pod has a service account
	 */
	boolean isPresent() {
		return isInPod() && Files.exists(token());
	}

	/**
	 * Returns whether this process runs in a pod, with a service account or without.
	 * @return {@code true} if this process runs in a pod
	 */
	boolean isInPod() {
		return this.environment.variable(HOST) != null;
	}

	/**
	 * Returns access to the API server of the pod's cluster.
	 * @return the access
	 * @throws ClientConfigurationException if a part of the service account is missing
	 */
	ClusterAccess access() {
		String url = "https://%s:%d".formatted(host(), port());
		if (!Files.exists(token())) {
			throw problem("has no file '%s'".formatted(token()),
					"Set 'automountServiceAccountToken: true' for the pod, or configure a kubeconfig or the URL of the API server.");
		}
		Path authority = this.environment.serviceAccount().resolve(AUTHORITY);
		String place = place();
		return new ClusterAccess(place, "service account",
				new ClusterAccess.Server(url, null, false, new Content.InFile(place, AUTHORITY, authority), null),
				new ClusterAccess.User(null, token(), null, null, null, null, null, ClusterAccess.Impersonation.none()),
				namespace());
	}

	/**
	 * Checks that the certificate authority of a service account exists.
	 * @param authority the authorities of a client
	 * @throws ClientConfigurationException if the file does not exist
	 */
	static void check(@Nullable Content authority) {
		if (authority instanceof Content.InFile file && file.field().equals(AUTHORITY) && !Files.exists(file.path())) {
			// client-go would fall back to the authorities of the system, which rarely
			// include that of a cluster.
			throw new ClientConfigurationException(file.place(), null,
					"has no file '%s' with the certificate authority of the API server".formatted(file.path()),
					"Mount the config map 'kube-root-ca.crt' there, as "
							+ "'automountServiceAccountToken: true' does, or configure the authority.");
		}
	}

	private String host() {
		String host = this.environment.variable(HOST);
		if (host == null) {
			throw new ClientConfigurationException("The environment variable '%s'".formatted(HOST), null,
					"is not set, so this process does not run in a pod",
					"Configure a kubeconfig or the URL of the API server.");
		}
		// Same as net.JoinHostPort of Go.
		String bracketed = (host.contains(":") && !host.startsWith("[")) ? "[" + host + "]" : host;
		if (ApiServerUrl.parse("https://" + bracketed) == null || host.contains("/") || host.contains("@")) {
			throw new ClientConfigurationException("The environment variable '%s'".formatted(HOST), null,
					"is '%s', which is not a host or an IP address".formatted(host),
					"Remove what sets it, or configure a kubeconfig or the URL of the API server.");
		}
		return bracketed;
	}

	private int port() {
		String port = this.environment.variable(PORT);
		if (port == null) {
			throw new ClientConfigurationException("The environment variable '%s'".formatted(PORT), null,
					"is not set, although '%s' is".formatted(HOST),
					"Remove what unsets it, or configure a kubeconfig or the URL of the API server.");
		}
		int number = port.matches("\\d{1,5}") ? Integer.parseInt(port) : 0;
		if (number < 1 || number > LARGEST_PORT) {
			throw new ClientConfigurationException("The environment variable '%s'".formatted(PORT), null,
					"is '%s', which is not a port".formatted(port),
					"Container links and services named 'kubernetes' set it to a URL: remove what sets it, or configure a kubeconfig or the URL of the API server.");
		}
		return number;
	}

	private @Nullable String namespace() {
		Path file = this.environment.serviceAccount().resolve("namespace");
		try {
			String namespace = Files.readString(file, StandardCharsets.UTF_8).strip();
			return namespace.isEmpty() ? null : namespace;
		}
		catch (IOException ex) {
			// A missing namespace matters only for the setting '@current', which reports
			// it.
			return null;
		}
	}

	Path token() {
		return this.environment.serviceAccount().resolve("token");
	}

	private String place() {
		return "The service account '%s'".formatted(this.environment.serviceAccount());
	}

	private ClientConfigurationException problem(String problem, String action) {
		return new ClientConfigurationException(place(), null, problem, action);
	}

}
