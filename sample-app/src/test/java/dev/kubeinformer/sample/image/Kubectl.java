package dev.kubeinformer.sample.image;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import io.kubernetes.client.util.Yaml;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The kubectl that {@code -Dkubectl} names, on the cluster of the tests.
 *
 * @param kubeconfig the kubeconfig
 * @param folder a folder for its cache and its output
 */
record Kubectl(Path kubeconfig, Path folder) {

	/**
	 * Runs it.
	 * @param arguments the arguments
	 * @return what it wrote, warnings included
	 */
	String run(String... arguments) {
		return run(0, arguments);
	}

	String fail(String... arguments) {
		return run(1, arguments);
	}

	private String run(int status, String... arguments) {
		List<String> command = new ArrayList<>(List.of(System.getProperty("kubectl").trim().split(" +")));
		command.add("--kubeconfig=" + this.kubeconfig);
		command.add("--cache-dir=" + this.folder.resolve("cache"));
		command.addAll(List.of(arguments));
		try {
			Path output = Files.createTempFile(this.folder, "kubectl", ".txt");
			Process process = new ProcessBuilder(command).redirectErrorStream(true)
				.redirectOutput(output.toFile())
				.start();
			assertThat(process.waitFor(60, TimeUnit.SECONDS)).as("kubectl %s ends", List.of(arguments)).isTrue();
			String text = Files.readString(output);
			assertThat(process.exitValue()).as("kubectl %s: %s", List.of(arguments), text).isEqualTo(status);
			return text;
		}
		catch (IOException ex) {
			throw new IllegalStateException(ex);
		}
		catch (InterruptedException ex) {
			throw new AssertionError(ex);
		}
	}

	/**
	 * Reads an object.
	 * @param <T> the model
	 * @param model the model
	 * @param namespace the namespace
	 * @param resource the resource and the name, such as {@code deployment/web}
	 * @return the object
	 */
	<T> T get(Class<T> model, String namespace, String resource) {
		return Yaml.loadAs(run("get", resource, "-n", namespace, "-o", "yaml"), model);
	}

	/**
	 * Removes a namespace that is being deleted: where only an API server runs, nobody
	 * else does it.
	 * @param namespace the namespace
	 * @throws IOException if the file for it cannot be written
	 */
	void finalizeNamespace(String namespace) throws IOException {
		Path finalized = Files.writeString(this.folder.resolve("namespace.json"),
				"{\"apiVersion\":\"v1\",\"kind\":\"Namespace\",\"metadata\":{\"name\":\"%s\"}}".formatted(namespace));
		run("replace", "--raw", "/api/v1/namespaces/%s/finalize".formatted(namespace), "-f", finalized.toString());
	}

}
