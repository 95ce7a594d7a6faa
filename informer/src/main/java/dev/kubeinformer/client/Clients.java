package dev.kubeinformer.client;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import dev.kubeinformer.internal.client.ClusterAccess;
import dev.kubeinformer.internal.client.kubeconfig.Kubeconfigs;
import dev.kubeinformer.types.ClientConfigurationException;

/**
 * Makes clients of the official library that connect wherever {@code kubectl} does. Files
 * and credential plugins are read again when they may have changed, so a client outlives
 * every certificate and token that it began with:
 *
 * <pre>{@code
 * try (ManagedApiClient client = Clients.standard().build();
 *         Informers informers = Informers.builder(client).build()) {
 *     ...
 * }
 * }</pre>
 *
 * A builder reads nothing. {@link ManagedApiClient.Builder#build()} does, and fails with
 * a {@link ClientConfigurationException} that names file, field and reason.
 */
public final class Clients {

	private static final String KUBECONFIG = "KUBECONFIG";

	private static final String VARIABLE = "the environment variable '%s'".formatted(KUBECONFIG);

	private static final String HOME = "the home directory";

	private Clients() {
	}

	/**
	 * Finds the cluster in the usual order: the kubeconfig that the environment variable
	 * {@code KUBECONFIG} names, else {@code ~/.kube/config} if it exists, else the
	 * service account of a pod.
	 * @return a builder, which looks when it builds
	 */
	public static ManagedApiClient.Builder standard() {
		return standard(ClientEnvironment.system());
	}

	/**
	 * Finds the cluster in the {@linkplain #standard() usual order} in another
	 * environment than that of this process.
	 * @param environment the environment
	 * @return a builder, which looks when it builds
	 */
	public static ManagedApiClient.Builder standard(ClientEnvironment environment) {
		return new ManagedApiClient.Builder(environment, (lookup) -> {
			if (environment.variable(KUBECONFIG) != null || Files.exists(environment.defaultKubeconfig())) {
				return kubeconfig(environment, lookup);
			}
			ServiceAccount account = ServiceAccount.of(environment);
			if (account.isPresent()) {
				return account.access();
			}
			boolean pod = account.isInPod();
			throw new ClientConfigurationException("No Kubernetes cluster", null,
					"is configured: there is no environment variable '%s', no file '%s', and %s".formatted(KUBECONFIG,
							environment.defaultKubeconfig(),
							pod ? "the service account of the pod has no file '%s'".formatted(account.token())
									: "no service account of a pod in '%s'".formatted(environment.serviceAccount())),
					"%set '%s' to the path of a kubeconfig.".formatted(
							pod ? "Set 'automountServiceAccountToken: true' for the pod, or s" : "S", KUBECONFIG));
		});
	}

	/**
	 * Takes the kubeconfig that {@code kubectl} takes: the files that the environment
	 * variable {@code KUBECONFIG} names, merged, else {@code ~/.kube/config}.
	 * @return a builder
	 */
	public static ManagedApiClient.Builder fromKubeconfig() {
		return fromKubeconfig(ClientEnvironment.system());
	}

	/**
	 * Takes the kubeconfig that {@code kubectl} would take in another environment than
	 * that of this process.
	 * @param environment the environment
	 * @return a builder
	 */
	public static ManagedApiClient.Builder fromKubeconfig(ClientEnvironment environment) {
		return new ManagedApiClient.Builder(environment, (lookup) -> kubeconfig(environment, lookup));
	}

	/**
	 * Takes a kubeconfig of files. Several are merged as {@code kubectl} merges them; of
	 * those, one that does not exist is left out.
	 * @param files the files; at least one
	 * @return a builder
	 */
	public static ManagedApiClient.Builder fromKubeconfig(Path... files) {
		List<Path> paths = List.of(files);
		if (paths.isEmpty()) {
			throw new IllegalArgumentException("At least one kubeconfig must be named");
		}
		return new ManagedApiClient.Builder(ClientEnvironment.system(), (lookup) -> lookup.read(paths, "the code"));
	}

	/**
	 * Takes a kubeconfig of a file that a text names, as a person writes it.
	 * @param location a path, one that begins with {@code ~}, or a URL that begins with
	 * {@code file:}
	 * @param environment the environment, with the home directory
	 * @return a builder
	 */
	public static ManagedApiClient.Builder fromKubeconfig(String location, ClientEnvironment environment) {
		return new ManagedApiClient.Builder(environment, (lookup) -> {
			Path path;
			try {
				path = environment.path(location);
			}
			catch (IllegalArgumentException ex) {
				throw new ClientConfigurationException("The kubeconfig '%s'".formatted(location.strip()), null,
						"is not the path of a file", null);
			}
			return lookup.read(List.of(path), "the code");
		});
	}

	/**
	 * Takes the service account of the pod that this process runs in, as
	 * {@code rest.InClusterConfig} of client-go does.
	 * @return a builder
	 */
	public static ManagedApiClient.Builder inCluster() {
		return inCluster(ClientEnvironment.system());
	}

	/**
	 * Takes a service account from another environment than that of this process.
	 * @param environment the environment
	 * @return a builder
	 */
	public static ManagedApiClient.Builder inCluster(ClientEnvironment environment) {
		return new ManagedApiClient.Builder(environment, (lookup) -> ServiceAccount.of(environment).access());
	}

	/**
	 * Takes the URL of an API server. Whom it is asked as, and which authority vouches
	 * for it, is set at the builder.
	 * @param url the URL with scheme and host, for example {@code https://10.0.0.1:6443}
	 * @return a builder
	 */
	public static ManagedApiClient.Builder of(String url) {
		return of(url, ClientEnvironment.system());
	}

	/**
	 * Takes the URL of an API server, in another environment than that of this process.
	 * @param url the URL with scheme and host
	 * @param environment the environment, for a proxy
	 * @return a builder
	 */
	public static ManagedApiClient.Builder of(String url, ClientEnvironment environment) {
		return new ManagedApiClient.Builder(environment, (lookup) -> ApiServerUrl.access(url, lookup.origin()));
	}

	private static ClusterAccess kubeconfig(ClientEnvironment environment, Lookup lookup) {
		String variable = environment.variable(KUBECONFIG);
		// Falling back to the home directory could mean another cluster.
		return (variable != null) ? lookup.read(paths(variable, environment), VARIABLE)
				: lookup.read(List.of(environment.defaultKubeconfig()), HOME);
	}

	private static List<Path> paths(String variable, ClientEnvironment environment) {
		try {
			return Kubeconfigs.paths(variable, environment.home());
		}
		catch (IllegalArgumentException ex) {
			throw new ClientConfigurationException("The kubeconfig '%s' (from %s)".formatted(variable, VARIABLE), null,
					"is not the path of a file", "Correct the variable.");
		}
	}

}
