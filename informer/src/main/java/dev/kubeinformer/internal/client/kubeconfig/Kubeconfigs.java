package dev.kubeinformer.internal.client.kubeconfig;

import java.nio.file.Path;
import java.util.List;

import dev.kubeinformer.internal.client.ClusterAccess;
import dev.kubeinformer.types.ClientConfigurationException;

/**
 * Reader of kubeconfigs.
 */
public final class Kubeconfigs {

	private Kubeconfigs() {
	}

	/**
	 * Reads files, merges them, and resolves a context. Neither certificates nor tokens
	 * are read yet, and no plugin runs.
	 * @param request which kubeconfig is wanted
	 * @return how the cluster is reached
	 * @throws ClientConfigurationException if kubectl would not connect either
	 */
	public static ClusterAccess read(KubeconfigRequest request) {
		throw new UnsupportedOperationException();
	}

	/**
	 * Resolves the current context of a text. Relative paths stay as they are.
	 * @param yaml the text
	 * @param place what holds it, as the subject of a sentence
	 * @return how the cluster is reached
	 * @throws ClientConfigurationException if kubectl would not connect either
	 */
	public static ClusterAccess parse(String yaml, String place) {
		throw new UnsupportedOperationException();
	}

	/**
	 * Splits the variable {@code KUBECONFIG}.
	 * @param variable its value
	 * @return the files, in their order
	 */
	public static List<Path> paths(String variable) {
		throw new UnsupportedOperationException();
	}

	/**
	 * Returns the file that a text names: a path, one that begins with {@code ~}, or a
	 * URL that begins with {@code file:}.
	 * @param text the text
	 * @param home the home directory
	 * @return the path
	 * @throws java.nio.file.InvalidPathException if it names none
	 */
	public static Path path(String text, Path home) {
		throw new UnsupportedOperationException();
	}

}
