package dev.kubeinformer.client;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import dev.kubeinformer.internal.client.ClusterAccess;
import dev.kubeinformer.internal.client.kubeconfig.Kubeconfigs;
import dev.kubeinformer.types.ClientConfigurationException;

/**
 * Creates clients of the official library that connect wherever {@code kubectl} connects.
 * A client reads files and runs credential plugins again when they may have changed, so
 * it keeps working after its first certificates and tokens have expired:
 *
 * <pre>{@code
 * try (ManagedApiClient client = Clients.standard().build();
 *         Informers informers = Informers.builder(client).build()) {
 *     ...
 * }
 * }</pre>
 *
 * The configuration is read by {@link ManagedApiClient.Builder#build()}, not before. If
 * it is not usable, that method throws a {@link ClientConfigurationException} that names
 * the file, the field and the reason.
 */
public final class Clients {

	private static final String KUBECONFIG = "KUBECONFIG";

	private static final String VARIABLE = "the environment variable '%s'".formatted(KUBECONFIG);

	private static final String HOME = "the home directory";

	private Clients() {
	}

	/**
	 * Finds the cluster in the usual order: the kubeconfig in the environment variable
	 * {@code KUBECONFIG}, then {@code ~/.kube/config} if it exists, then the service
	 * account of a pod.
	 * @return a builder, which searches when it builds
	 */
	public static ManagedApiClient.Builder standard() {
		return standard(ClientEnvironment.system());
	}

	/**
	 * Finds the cluster in the {@linkplain #standard() usual order} in an environment
	 * other than that of this process.
	 * @param environment the environment
	 * @return a builder, which searches when it builds
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
	 * Uses the same kubeconfig as {@code kubectl}: the merged files in the environment
	 * variable {@code KUBECONFIG}, or {@code ~/.kube/config} if the variable is not set.
	 * @return a builder
	 */
	public static ManagedApiClient.Builder fromKubeconfig() {
		return fromKubeconfig(ClientEnvironment.system());
	}

	/**
	 * Uses the kubeconfig that {@code kubectl} would use in an environment other than
	 * that of this process.
	 * @param environment the environment
	 * @return a builder
	 */
	public static ManagedApiClient.Builder fromKubeconfig(ClientEnvironment environment) {
		return new ManagedApiClient.Builder(environment, (lookup) -> kubeconfig(environment, lookup));
	}

	/**
	 * Uses kubeconfig files. Several files are merged as in {@code kubectl}; files that
	 * do not exist are ignored.
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
	 * Uses a kubeconfig file whose location was read from a configuration.
	 * @param location a path, a path that begins with {@code ~}, or a URL that begins
	 * with {@code file:}
	 * @param environment the environment with the home directory
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
	 * Uses the service account of the pod of this process, like {@code
	 * rest.InClusterConfig} of client-go.
	 * @return a builder
	 */
	public static ManagedApiClient.Builder inCluster() {
		return inCluster(ClientEnvironment.system());
	}

	/**
	 * Uses a service account in an environment other than that of this process.
	 * @param environment the environment
	 * @return a builder
	 */
	public static ManagedApiClient.Builder inCluster(ClientEnvironment environment) {
		return new ManagedApiClient.Builder(environment, (lookup) -> ServiceAccount.of(environment).access());
	}

	/**
	 * Uses the URL of an API server. Set credentials and certificate authorities with the
	 * builder.
	 * @param url the URL with scheme and host, for example {@code https://10.0.0.1:6443}
	 * @return a builder
	 */
	public static ManagedApiClient.Builder of(String url) {
		return of(url, ClientEnvironment.system());
	}

	/**
	 * Uses the URL of an API server in an environment other than that of this process.
	 * @param url the URL with scheme and host
	 * @param environment the environment, whose variables may set a proxy
	 * @return a builder
	 */
	public static ManagedApiClient.Builder of(String url, ClientEnvironment environment) {
		return new ManagedApiClient.Builder(environment, (lookup) -> ApiServerUrl.access(url, lookup.origin()));
	}

	private static ClusterAccess kubeconfig(ClientEnvironment environment, Lookup lookup) {
		String variable = environment.variable(KUBECONFIG);
		// Do not fall back to the home directory, which could select another cluster.
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
