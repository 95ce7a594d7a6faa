package dev.kubeinformer.benchmark.compare;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import dev.kubeinformer.benchmark.compare.server.EmbeddedServer;
import dev.kubeinformer.benchmark.compare.server.ReplayServer;

/** API server in a separate JVM. */
final class ServerJvm implements AutoCloseable {

	private static final String READY = "READY ";

	private final Process process;

	private final Path kubeconfig;

	private final String url;

	private ServerJvm(Process process, Path kubeconfig, String url) {
		this.process = process;
		this.kubeconfig = kubeconfig;
		this.url = url;
	}

	/**
	 * Starts the embedded API.
	 * @param resource the resource that it serves
	 * @param objects the number of objects
	 * @param diverse whether the objects differ
	 * @param directory the directory for its kubeconfig and its errors
	 * @return the server, which is ready
	 * @throws IOException if it does not start
	 */
	static ServerJvm embedded(Resource resource, int objects, boolean diverse, Path directory) throws IOException {
		Path kubeconfig = directory.resolve("embedded.yaml");
		return start(EmbeddedServer.class,
				List.of(resource.name(), Integer.toString(objects), Boolean.toString(diverse), kubeconfig.toString()),
				kubeconfig);
	}

	/**
	 * Starts the embedded API for a training run: it uses TLS and a token like a cluster,
	 * and its objects change all the time.
	 * @param resource the resource that it serves
	 * @param objects the number of objects
	 * @param directory the directory for its kubeconfig and its errors
	 * @return the server, which is ready
	 * @throws IOException if it does not start
	 */
	static ServerJvm training(Resource resource, int objects, Path directory) throws IOException {
		Path kubeconfig = directory.resolve("training.yaml");
		return start(EmbeddedServer.class,
				List.of(resource.name(), Integer.toString(objects), "true", kubeconfig.toString(), "training"),
				kubeconfig);
	}

	/**
	 * Starts a server that replays the pods of another one.
	 * @param upstream the kubeconfig of the other server
	 * @param pods the number of pods
	 * @param directory the directory for its kubeconfig and its errors
	 * @return the server, which is ready
	 * @throws IOException if it does not start
	 */
	static ServerJvm replay(Path upstream, int pods, Path directory) throws IOException {
		Path kubeconfig = directory.resolve("replay.yaml");
		return start(ReplayServer.class, List.of(upstream.toString(), Integer.toString(pods), kubeconfig.toString()),
				kubeconfig);
	}

	private static ServerJvm start(Class<?> main, List<String> arguments, Path kubeconfig) throws IOException {
		List<String> command = new ArrayList<>(Forked.java(List.of("-Xmx8g")));
		command.add(main.getName());
		command.addAll(arguments);
		Files.deleteIfExists(kubeconfig);
		Path errors = kubeconfig.resolveSibling(main.getSimpleName() + "-errors.txt");
		Process process = new ProcessBuilder(command).redirectError(errors.toFile()).start();
		BufferedReader output = process.inputReader();
		for (String line = output.readLine(); line != null; line = output.readLine()) {
			if (line.startsWith(READY)) {
				return new ServerJvm(process, kubeconfig, line.split(" ")[1]);
			}
		}
		int exit = process.onExit().join().exitValue();
		throw new IOException("%s did not start, exit code %d, see %s:%n%s".formatted(main.getSimpleName(), exit,
				errors, Forked.lastOf(Files.readAllLines(errors))));
	}

	Path kubeconfig() {
		return this.kubeconfig;
	}

	String url() {
		return this.url;
	}

	@Override
	public void close() {
		this.process.destroyForcibly();
		this.process.onExit().join();
	}

}
