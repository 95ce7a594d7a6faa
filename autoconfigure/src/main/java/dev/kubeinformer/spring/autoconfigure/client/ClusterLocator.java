package dev.kubeinformer.spring.autoconfigure.client;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import io.kubernetes.client.util.Config;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.core.env.Environment;
import org.springframework.util.StringUtils;

import dev.kubeinformer.spring.settings.InvalidPropertyValueException;

/**
 * Finder of the cluster that is configured: by connection details, by URL, by kubeconfig,
 * or because the application runs in a pod. It looks nowhere before it is asked. Internal
 * to the starter.
 */
public final class ClusterLocator {

	private final KubernetesClientProperties properties;

	private final ObjectProvider<KubernetesConnectionDetails> details;

	private final Environment environment;

	private final ObjectProvider<ConnectionGuard> guard;

	ClusterLocator(KubernetesClientProperties properties, ObjectProvider<KubernetesConnectionDetails> details,
			Environment environment, ObjectProvider<ConnectionGuard> guard) {
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
		if (cluster == null) {
			throw new NoClusterConfiguredException(List.of("the property 'kubernetes.client.url'",
					"the property 'kubernetes.client.kubeconfig'", "the environment variable 'KUBECONFIG'",
					"the file '%s'".formatted(defaultKubeconfig()), "the service account of a pod"),
					this.guard.stream().findAny().isPresent());
		}
		return cluster;
	}

	private @Nullable Cluster findConfigured() {
		KubernetesConnectionDetails connection = this.details.getIfAvailable();
		if (connection != null) {
			return new DetailsCluster(connection, "connection details");
		}
		ClientValues values = new ClientValues(this.properties);
		String url = values.url();
		if (url != null) {
			return new DetailsCluster(new PropertiesKubernetesConnectionDetails(url, values),
					"property 'kubernetes.client.url'");
		}
		Kubeconfig kubeconfig = kubeconfig();
		if (kubeconfig != null) {
			return kubeconfig;
		}
		return isInCluster() ? new ServiceAccount() : null;
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
			return Kubeconfig.read(Path.of(this.properties.getKubeconfig()),
					"the property 'kubernetes.client.kubeconfig'", context);
		}
		String variable = this.environment.getProperty(Config.ENV_KUBECONFIG);
		if (StringUtils.hasText(variable)) {
			// Falling back to the home directory could mean another cluster.
			return Kubeconfig.read(firstExisting(variable), "the environment variable 'KUBECONFIG'", context);
		}
		Path home = defaultKubeconfig();
		return Files.exists(home) ? Kubeconfig.read(home, "the home directory", context) : null;
	}

	private static Path firstExisting(String paths) {
		List<Path> candidates = new ArrayList<>();
		for (String path : paths.split(File.pathSeparator)) {
			if (StringUtils.hasText(path)) {
				candidates.add(Path.of(path.strip()));
			}
		}
		return candidates.stream().filter(Files::exists).findFirst().orElse(candidates.get(0));
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
