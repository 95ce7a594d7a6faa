package dev.kubeinformer.spring.autoconfigure.client;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.core.env.Environment;
import org.springframework.util.StringUtils;

import dev.kubeinformer.client.ClientDescription;
import dev.kubeinformer.client.ClientEnvironment;
import dev.kubeinformer.client.Clients;
import dev.kubeinformer.client.ManagedApiClient;
import dev.kubeinformer.spring.settings.InformerConfigurationException;
import dev.kubeinformer.spring.settings.InvalidPropertyValueException;

/**
 * Finds the configuration of a cluster's connection: connection details, the property for
 * the URL, a kubeconfig, or the service account of the pod in which the application runs.
 * A named cluster does not use the service account, and uses a kubeconfig only if a
 * property names the file or its context. The search begins when a method is called.
 * Internal to the starter.
 */
public final class ClusterLocator {

	private static final String KUBECONFIG = "KUBECONFIG";

	private final KubernetesClientProperties properties;

	private final String prefix;

	/** Name of the cluster; {@code null} for the default cluster. */
	private final @Nullable String name;

	private final Supplier<@Nullable KubernetesConnectionDetails> details;

	private final Environment environment;

	private final ObjectProvider<ConnectionGuard> guard;

	private final Path serviceAccount;

	ClusterLocator(KubernetesClientProperties properties, Supplier<@Nullable KubernetesConnectionDetails> details,
			Environment environment, ObjectProvider<ConnectionGuard> guard) {
		this(null, KubernetesClientProperties.PREFIX, properties, details, environment, guard);
	}

	ClusterLocator(@Nullable String name, String prefix, KubernetesClientProperties properties,
			Supplier<@Nullable KubernetesConnectionDetails> details, Environment environment,
			ObjectProvider<ConnectionGuard> guard) {
		this(name, prefix, properties, details, environment, guard, ClientEnvironment.SERVICE_ACCOUNT);
	}

	ClusterLocator(@Nullable String name, String prefix, KubernetesClientProperties properties,
			Supplier<@Nullable KubernetesConnectionDetails> details, Environment environment,
			ObjectProvider<ConnectionGuard> guard, Path serviceAccount) {
		this.serviceAccount = serviceAccount;
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
	 * @throws NoClusterConfiguredException if no cluster is configured
	 * @throws InformerConfigurationException if a configured kubeconfig is not usable
	 * @throws InvalidPropertyValueException if the URL is not valid
	 */
	Cluster find() {
		Cluster cluster = findConfigured();
		if (cluster != null) {
			return cluster;
		}
		boolean inTest = this.guard.stream().findAny().isPresent();
		throw (this.name != null) ? NoClusterConfiguredException.ofName(this.name, this.prefix, inTest)
				: NoClusterConfiguredException.ofDefault(defaultKubeconfig(environment()), missingToken(), inTest);
	}

	private @Nullable Cluster findConfigured() {
		ClientFailures failures = new ClientFailures(this.prefix, this.properties);
		ClientEnvironment environment = environment();
		KubernetesConnectionDetails connection = this.details.get();
		if (connection != null) {
			return Cluster.of(
					described(Clients.of(connection.getUrl(), environment), "connection details", failures.ofDetails()),
					connection, failures.ofDetails());
		}
		String url = new ClientValues(this.properties, this.prefix).url();
		if (url != null) {
			return new Cluster(
					described(Clients.of(url, environment), "property '%s.url'".formatted(this.prefix), failures),
					failures, (description) -> {
						throw noNamespace();
					});
		}
		Cluster kubeconfig = kubeconfig(failures, environment);
		if (kubeconfig != null) {
			return kubeconfig;
		}
		return (this.name == null && isInCluster())
				? new Cluster(described(Clients.inCluster(environment), null, failures), failures, this::namespaceOfPod)
				: null;
	}

	private ManagedApiClient.Builder described(ManagedApiClient.Builder builder, @Nullable String origin,
			ClientFailures failures) {
		return builder.describedAs(origin, "the property '%s.context'".formatted(this.prefix), failures.settings(),
				failures.fields());
	}

	private String namespaceOfPod(ClientDescription description) {
		String namespace = description.namespace();
		if (namespace == null) {
			throw new IllegalArgumentException(
					"the namespace '@current' needs the file '%s' of the service account, which cannot be read or is empty"
						.formatted(this.serviceAccount.resolve("namespace")));
		}
		return namespace;
	}

	/**
	 * Returns the environment variables, the home directory and the directory of the
	 * service account, in which a client finds its configuration.
	 * @return the environment
	 */
	ClientEnvironment environment() {
		String home = this.environment.getProperty("HOME");
		if (!StringUtils.hasText(home)) {
			home = this.environment.getProperty("user.home", "");
		}
		return new ClientEnvironment(this.environment::getProperty, Path.of(home), this.serviceAccount);
	}

	/**
	 * Finds the namespace of the kubeconfig's context or of the service account.
	 * @return the namespace
	 * @throws IllegalArgumentException if no namespace is set
	 */
	public String currentNamespace() {
		Cluster cluster = findConfigured();
		if (cluster == null) {
			Path missing = (this.name == null) ? missingToken() : null;
			throw (missing != null) ? new IllegalArgumentException(
					"the namespace '@current' needs a kubeconfig or the service account of the pod, which has no file '%s'; set 'automountServiceAccountToken: true' for the pod"
						.formatted(missing))
					: noNamespace();
		}
		return cluster.namespace();
	}

	/**
	 * Creates the exception for a missing namespace.
	 * @return the exception
	 */
	public static IllegalArgumentException noNamespace() {
		return new IllegalArgumentException(
				"the namespace '@current' needs a kubeconfig or the service account of a pod");
	}

	private @Nullable Cluster kubeconfig(ClientFailures failures, ClientEnvironment environment) {
		String context = this.properties.context();
		String location = this.properties.kubeconfig();
		if (StringUtils.hasText(location)) {
			return kubeconfig(Clients.fromKubeconfig(location, environment),
					"the property '%s.kubeconfig'".formatted(this.prefix),
					failures.ofFiles(resolved(List.of(location), environment)));
		}
		// A named cluster needs a property for the kubeconfig or for the context.
		if (this.name != null && !StringUtils.hasText(context)) {
			return null;
		}
		String variable = this.environment.getProperty(KUBECONFIG);
		if (StringUtils.hasText(variable)) {
			// Do not fall back to the home directory, which could select another cluster.
			return kubeconfig(Clients.fromKubeconfig(environment), "the environment variable 'KUBECONFIG'",
					failures.ofFiles(resolved(List.of(variable.split(File.pathSeparator)), environment)));
		}
		Path home = defaultKubeconfig(environment);
		return (this.name != null || Files.exists(home)) ? kubeconfig(Clients.fromKubeconfig(environment),
				"the home directory", failures.ofFiles(home.toString())) : null;
	}

	private Cluster kubeconfig(ManagedApiClient.Builder builder, String origin, ClientFailures failures) {
		boolean told = origin.contains(this.prefix) || this.name == null;
		String place = told ? origin : "%s, for '%s.context'".formatted(origin, this.prefix);
		return new Cluster(described(builder, place, failures).context(this.properties.context()), failures,
				(description) -> (description.namespace() != null) ? description.namespace() : "default");
	}

	private static Path defaultKubeconfig(ClientEnvironment environment) {
		return environment.home().resolve(".kube").resolve("config");
	}

	// Resolve the locations, because messages put them into a kubectl command. A shell
	// expands neither a file: URL nor '~' within an option.
	private static String resolved(List<String> locations, ClientEnvironment environment) {
		try {
			return locations.stream()
				.filter(StringUtils::hasText)
				.map((location) -> environment.path(location).toString())
				.collect(Collectors.joining(File.pathSeparator));
		}
		catch (IllegalArgumentException ex) {
			return String.join(File.pathSeparator, locations).strip();
		}
	}

	private boolean isInCluster() {
		return isInPod() && Files.exists(token());
	}

	/**
	 * Returns the path of the service account's token if the application runs in a pod
	 * without this file.
	 * @return the path; {@code null} if the file exists, or the application does not run
	 * in a pod
	 */
	private @Nullable Path missingToken() {
		return (isInPod() && !Files.exists(token())) ? token() : null;
	}

	private boolean isInPod() {
		return StringUtils.hasText(this.environment.getProperty("KUBERNETES_SERVICE_HOST"));
	}

	private Path token() {
		return this.serviceAccount.resolve("token");
	}

}
