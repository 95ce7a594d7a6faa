package dev.kubeinformer.client;

import java.nio.file.Path;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.internal.client.kubeconfig.Kubeconfigs;

/**
 * Environment in which a client finds its configuration.
 *
 * @param variables returns the value of an environment variable; {@code null} if the
 * variable is not set
 * @param home the home directory
 * @param serviceAccount the directory of the pod's service account
 */
public record ClientEnvironment(Function<String, @Nullable String> variables, Path home, Path serviceAccount) {

	/** Directory in which the kubelet mounts the service account of a pod. */
	public static final Path SERVICE_ACCOUNT = Path.of("/var/run/secrets/kubernetes.io/serviceaccount");

	/**
	 * Returns the environment of this process.
	 * @return the environment
	 */
	public static ClientEnvironment system() {
		return of(System::getenv);
	}

	/**
	 * Returns an environment with the given variables instead of those of this process.
	 * The home directory is the value of the variable {@code HOME}, as in
	 * {@code kubectl}. If that variable is not set, the home directory is the system
	 * property {@code user.home}.
	 * @param variables returns the value of an environment variable; {@code null} if the
	 * variable is not set
	 * @return the environment
	 */
	public static ClientEnvironment of(Function<String, @Nullable String> variables) {
		String home = variables.apply("HOME");
		return new ClientEnvironment(variables,
				Path.of((home != null && !home.isBlank()) ? home : System.getProperty("user.home", "")),
				SERVICE_ACCOUNT);
	}

	/**
	 * Converts the location of a file, as it is written in a configuration, into a path.
	 * @param location a path, a path that begins with {@code ~}, or a URL that begins
	 * with {@code file:}
	 * @return the path
	 * @throws java.nio.file.InvalidPathException if the text is not a path
	 */
	public Path path(String location) {
		return Kubeconfigs.path(location.strip(), this.home);
	}

	/**
	 * Returns an environment variable.
	 * @param name the name of the variable
	 * @return the value; {@code null} if the variable is blank or not set
	 */
	@Nullable String variable(String name) {
		String value = this.variables.apply(name);
		return (value != null && !value.isBlank()) ? value.strip() : null;
	}

	Path defaultKubeconfig() {
		return this.home.resolve(".kube").resolve("config");
	}

	/**
	 * Returns a text without variables, because they may contain secrets.
	 */
	@Override
	public String toString() {
		return "ClientEnvironment[home=%s, serviceAccount=%s]".formatted(this.home, this.serviceAccount);
	}

}
