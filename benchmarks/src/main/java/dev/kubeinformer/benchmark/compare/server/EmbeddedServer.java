package dev.kubeinformer.benchmark.compare.server;

import java.io.IOException;
import java.nio.file.Path;

import io.kubernetes.client.openapi.models.V1Pod;

import dev.kubeinformer.test.EmbeddedKubernetes;

/**
 * The embedded API, filled with pods.
 */
public final class EmbeddedServer {

	private EmbeddedServer() {
	}

	/**
	 * Serves until its input ends.
	 * @param arguments the number of pods, whether they are diverse, and the file to
	 * write a kubeconfig of this server to
	 * @throws IOException if its input cannot be read
	 */
	public static void main(String... arguments) throws IOException {
		BenchmarkPods pods = new BenchmarkPods(Boolean.parseBoolean(arguments[1]));
		try (EmbeddedKubernetes api = EmbeddedKubernetes.start()) {
			api.resources(V1Pod.class).fill(Integer.parseInt(arguments[0]), pods::pod);
			api.writeKubeconfig(Path.of(arguments[2]));
			System.out.println("READY " + api.url());
			while (System.in.read() >= 0) {
				// whoever started it has nothing to say but the end
			}
		}
	}

}
