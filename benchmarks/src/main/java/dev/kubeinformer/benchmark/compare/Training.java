package dev.kubeinformer.benchmark.compare;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import dev.kubeinformer.benchmark.compare.client.ClientMain;

/**
 * Training runs: a client syncs with a server of the harness and receives changes from
 * it, and its JVM writes a cache of what it learned.
 */
final class Training {

	private static final int OBJECTS = 3000;

	/** Number of changes after the sync, enough for the JIT compilers. */
	private static final int CHANGES = 1000;

	private final Compare options;

	private final String classPath;

	private int count;

	/**
	 * Prepares the class path, because training supports only jars.
	 * @param options the options
	 * @throws IOException if a jar cannot be written
	 */
	Training(Compare options) throws IOException {
		this.options = options;
		this.classPath = JarPath.of(System.getProperty("java.class.path"),
				options.out().toAbsolutePath().resolve("class-path"));
	}

	/**
	 * Returns the class path of the training and of the measured runs.
	 * @return the jars
	 */
	String classPath() {
		return this.classPath;
	}

	/**
	 * Trains a client.
	 * @param jvm the client and its JVM
	 * @param resource the resource that it reads
	 * @return the client with the cache of the training
	 * @throws IOException if it fails
	 * @throws InterruptedException if interrupted
	 */
	ClientJvm train(ClientJvm jvm, Resource resource) throws IOException, InterruptedException {
		Path cache = this.options.out().toAbsolutePath().resolve("trained-" + this.count++);
		Files.deleteIfExists(cache);
		System.out.println("training: " + jvm.name());
		try (ServerJvm server = ServerJvm.training(resource, OBJECTS, this.options.out())) {
			List<String> flags = jvm.training(cache);
			flags.addAll(this.options.flags(null));
			List<String> arguments = List.of("client=" + jvm.client(), "scenario=" + Scenario.SYNC,
					"resource=" + resource, "kubeconfig=" + server.kubeconfig(), "objects=" + OBJECTS,
					"changes=" + CHANGES, "launched=" + System.currentTimeMillis());
			Forked forked = Forked.jvm(jvm.home(), this.classPath, ClientMain.class, flags, arguments,
					this.options.limit(), this.options.out());
			if (!forked.outcome().isMeasured() || !Files.exists(cache)) {
				throw new IllegalStateException(
						"The training of '%s' has %s: %s".formatted(jvm.name(), forked.outcome(), forked.problem()));
			}
		}
		System.out.printf("trained: %s, %d MB%n", jvm.name(), Files.size(cache) / 1_000_000);
		return jvm.trained(cache);
	}

}
