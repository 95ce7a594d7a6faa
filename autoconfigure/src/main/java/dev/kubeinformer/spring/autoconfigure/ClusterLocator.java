package dev.kubeinformer.spring.autoconfigure;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import io.kubernetes.client.util.ClientBuilder;
import io.kubernetes.client.util.Config;
import io.kubernetes.client.util.credentials.AccessTokenAuthentication;
import org.jspecify.annotations.Nullable;
import org.springframework.core.env.Environment;
import org.springframework.util.StringUtils;

/**
 * Finder of the cluster that is configured: by URL, by kubeconfig, or because the
 * application runs in a pod. It looks nowhere before it is asked.
 */
final class ClusterLocator {

	private final KubernetesClientProperties properties;

	private final Environment environment;

	ClusterLocator(KubernetesClientProperties properties, Environment environment) {
		this.properties = properties;
		this.environment = environment;
	}

	/**
	 * Finds the cluster.
	 * @return a builder of clients for it
	 * @throws NoClusterConfiguredException if there is none
	 * @throws InvalidKubeconfigException if a kubeconfig is named that cannot be used
	 */
	ClientBuilder find() {
		ClientBuilder builder = locate();
		if (StringUtils.hasText(this.properties.getToken())) {
			builder.setAuthentication(new AccessTokenAuthentication(this.properties.getToken()));
		}
		return builder;
	}

	private ClientBuilder locate() {
		if (StringUtils.hasText(this.properties.getUrl())) {
			return new ClientBuilder().setBasePath(this.properties.getUrl());
		}
		Kubeconfig kubeconfig = kubeconfig();
		if (kubeconfig != null) {
			return kubeconfig.clientBuilder();
		}
		if (isInCluster()) {
			return inCluster();
		}
		throw new NoClusterConfiguredException(List.of("the property 'kubernetes.client.url'",
				"the property 'kubernetes.client.kubeconfig'", "the environment variable 'KUBECONFIG'",
				"the file '%s'".formatted(defaultKubeconfig()), "the service account of a pod"));
	}

	/**
	 * Finds the namespace that the kubeconfig's context or the service account is in.
	 * @return the namespace
	 * @throws IllegalArgumentException if nothing tells a namespace
	 */
	String currentNamespace() {
		if (!StringUtils.hasText(this.properties.getUrl())) {
			Kubeconfig kubeconfig = kubeconfig();
			if (kubeconfig != null) {
				return kubeconfig.namespace();
			}
			if (isInCluster()) {
				return read(Path.of(Config.SERVICEACCOUNT_NAMESPACE_PATH)).strip();
			}
		}
		throw new IllegalArgumentException(
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
			// falling back to the home directory could mean another cluster
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

	private static ClientBuilder inCluster() {
		try {
			return ClientBuilder.cluster();
		}
		catch (IOException ex) {
			throw new IllegalStateException(
					"The service account under '%s' cannot be read".formatted(Config.SERVICEACCOUNT_ROOT), ex);
		}
	}

	private static String read(Path file) {
		try {
			return Files.readString(file, StandardCharsets.UTF_8);
		}
		catch (IOException ex) {
			throw new IllegalStateException("'%s' cannot be read".formatted(file), ex);
		}
	}

}
