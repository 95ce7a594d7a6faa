package dev.kubeinformer.spring.autoconfigure.client;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

import io.kubernetes.client.util.Config;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.core.env.Environment;
import org.springframework.util.StringUtils;

import dev.kubeinformer.spring.settings.InvalidPropertyValueException;

/**
 * Finder of a cluster that is configured: by connection details, by URL, by kubeconfig,
 * or because the application runs in a pod. The last, and a kubeconfig that no property
 * names, are for the default cluster alone. It looks nowhere before it is asked. Internal
 * to the starter.
 */
public final class ClusterLocator {

	private final KubernetesClientProperties properties;

	private final String prefix;

	/** {@code null} for the default cluster. */
	private final @Nullable String name;

	private final Supplier<@Nullable KubernetesConnectionDetails> details;

	private final Environment environment;

	private final ObjectProvider<ConnectionGuard> guard;

	ClusterLocator(KubernetesClientProperties properties, Supplier<@Nullable KubernetesConnectionDetails> details,
			Environment environment, ObjectProvider<ConnectionGuard> guard) {
		this(null, KubernetesClientProperties.PREFIX, properties, details, environment, guard);
	}

	ClusterLocator(@Nullable String name, String prefix, KubernetesClientProperties properties,
			Supplier<@Nullable KubernetesConnectionDetails> details, Environment environment,
			ObjectProvider<ConnectionGuard> guard) {
		this.name = name;
		this.prefix = prefix;
		this.properties = properties;
		this.details = details;
		this.environment = environment;
		this.guard = guard;
	}

	/**
	 * Finds the cluster.
	 * @return the cluster
	 * @throws NoClusterConfiguredException if there is none
	 * @throws InvalidKubeconfigException if a kubeconfig is named that cannot be used
	 * @throws InvalidPropertyValueException if the URL is none
	 */
	Cluster find() {
		Cluster cluster = findConfigured();
		if (cluster != null) {
			return cluster;
		}
		boolean inTest = this.guard.stream().findAny().isPresent();
		throw (this.name != null) ? NoClusterConfiguredException.ofName(this.name, this.prefix, inTest)
				: new NoClusterConfiguredException(List.of("the property 'kubernetes.client.url'",
						"the property 'kubernetes.client.kubeconfig'", "the environment variable 'KUBECONFIG'",
						"the file '%s'".formatted(defaultKubeconfig()), "the service account of a pod"), inTest);
	}

	private @Nullable Cluster findConfigured() {
		KubernetesConnectionDetails connection = this.details.get();
		if (connection != null) {
			return new DetailsCluster(connection, "connection details");
		}
		ClientValues values = new ClientValues(this.properties, this.prefix);
		String url = values.url();
		if (url != null) {
			return new DetailsCluster(new PropertiesKubernetesConnectionDetails(url, values),
					"property '%s.url'".formatted(this.prefix));
		}
		Kubeconfig kubeconfig = kubeconfig();
		if (kubeconfig != null) {
			return kubeconfig;
		}
		return (this.name == null && isInCluster()) ? new ServiceAccount() : null;
	}

	/**
	 * Finds the namespace that the kubeconfig's context or the service account is in.
	 * @return the namespace
	 * @throws IllegalArgumentException if nothing names a namespace
	 */
	public String currentNamespace() {
		Cluster cluster = findConfigured();
		if (cluster == null) {
			throw noNamespace();
		}
		return cluster.namespace();
	}

	/**
	 * Creates the exception for the case that nothing names a namespace.
	 * @return the exception
	 */
	public static IllegalArgumentException noNamespace() {
		return new IllegalArgumentException(
				"the namespace '@current' needs a kubeconfig or the service account of a pod");
	}

	private @Nullable Kubeconfig kubeconfig() {
		String context = this.properties.getContext();
		if (StringUtils.hasText(this.properties.getKubeconfig())) {
			return Kubeconfig.read(List.of(Path.of(this.properties.getKubeconfig())),
					place("the property '%s.kubeconfig'".formatted(this.prefix)), context);
		}
		// A cluster that has a name is never the one that happens to be current.
		if (this.name != null && !StringUtils.hasText(context)) {
			return null;
		}
		String variable = this.environment.getProperty(Config.ENV_KUBECONFIG);
		if (StringUtils.hasText(variable)) {
			// Falling back to the home directory could mean another cluster.
			return Kubeconfig.read(paths(variable), place("the environment variable 'KUBECONFIG'"), context);
		}
		Path home = defaultKubeconfig();
		return (this.name != null || Files.exists(home))
				? Kubeconfig.read(List.of(home), place("the home directory"), context) : null;
	}

	private KubeconfigPlace place(String origin) {
		boolean told = origin.contains(this.prefix) || this.name == null;
		return new KubeconfigPlace(told ? origin : "%s, for '%s.context'".formatted(origin, this.prefix), this.prefix);
	}

	private static List<Path> paths(String variable) {
		List<Path> paths = new ArrayList<>();
		for (String path : variable.split(File.pathSeparator)) {
			if (StringUtils.hasText(path)) {
				paths.add(Path.of(path.strip()));
			}
		}
		// A variable of separators alone names a file that is not there.
		return paths.isEmpty() ? List.of(Path.of(variable.strip())) : paths;
	}

	private Path defaultKubeconfig() {
		String home = this.environment.getProperty("HOME");
		if (!StringUtils.hasText(home)) {
			home = this.environment.getProperty("user.home", "");
		}
		return Path.of(home, ".kube", "config");
	}

	private boolean isInCluster() {
		return StringUtils.hasText(this.environment.getProperty(Config.ENV_SERVICE_HOST))
				&& Files.exists(Path.of(Config.SERVICEACCOUNT_TOKEN_PATH));
	}

}
