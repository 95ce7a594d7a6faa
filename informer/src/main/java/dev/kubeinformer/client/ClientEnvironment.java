package dev.kubeinformer.client;

import java.nio.file.Path;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.internal.client.kubeconfig.Kubeconfigs;

/**
 * Environment in which a client looks for its configuration.
 *
 * @param variables returns an environment variable by its name; {@code null} if it is not
 * set
 * @param home the home directory
 * @param serviceAccount the folder in which a pod has its service account
 */
public record ClientEnvironment(Function<String, @Nullable String> variables, Path home, Path serviceAccount) {

	/** The folder in which the kubelet mounts the service account of a pod. */
	public static final Path SERVICE_ACCOUNT = Path.of("/var/run/secrets/kubernetes.io/serviceaccount");

	/**
	 * Returns the environment of this process.
	 * @return the environment
	 */
	public static ClientEnvironment system() {
		return of(System::getenv);
	}

	/**
	 * Returns an environment with other variables than this process has. The home
	 * directory is that of the variable {@code HOME}, as with {@code kubectl}, else that
	 * of the JVM.
	 * @param variables returns a variable by its name; {@code null} if it is not set
	 * @return the environment
	 */
	public static ClientEnvironment of(Function<String, @Nullable String> variables) {
		String home = variables.apply("HOME");
		return new ClientEnvironment(variables,
				Path.of((home != null && !home.isBlank()) ? home : System.getProperty("user.home", "")),
				SERVICE_ACCOUNT);
	}

	/**
	 * Returns the file that a text names, as a person writes it.
	 * @param location a path, one that begins with {@code ~}, or a URL that begins with
	 * {@code file:}
	 * @return the path
	 * @throws java.nio.file.InvalidPathException if the text names none
	 */
	public Path path(String location) {
		return Kubeconfigs.path(location.strip(), this.home);
	}

	/**
	 * Returns a variable.
	 * @param name its name
	 * @return its value; {@code null} if it is blank or not set
	 */
	@Nullable String variable(String name) {
		String value = this.variables.apply(name);
		return (value != null && !value.isBlank()) ? value.strip() : null;
	}

	Path defaultKubeconfig() {
		return this.home.resolve(".kube").resolve("config");
	}

	/**
	 * Returns a text without variables, which may hold secrets.
	 */
	@Override
	public String toString() {
		return "ClientEnvironment[home=%s, serviceAccount=%s]".formatted(this.home, this.serviceAccount);
	}

}
