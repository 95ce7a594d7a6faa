package dev.kubeinformer.test;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.test.internal.training.Manifests;
import dev.kubeinformer.test.internal.training.TrainingObjects;

/**
 * Program that starts an embedded API and then runs a command that uses it. The command
 * may be the training run of an application: a run in which the JVM records an archive
 * for faster starts. The embedded API resembles a real API server: TLS, a token,
 * protobuf, and objects that keep changing. The environment variable {@code KUBECONFIG}
 * of the command names the kubeconfig.
 *
 * <pre>
 * java -cp … dev.kubeinformer.test.TrainingCluster cluster.yaml -- java -XX:AOTCacheOutput=app.aot -jar app.jar
 * </pre>
 *
 * The arguments before the two hyphens are files and directories with objects, and
 * options: {@code --copies=500} for the number of copies of each object,
 * {@code --period=5} for the milliseconds between two changes, {@code --kubeconfig=FILE}
 * for a kubeconfig to write. Without a command, the embedded API runs until the end of
 * the standard input. The exit code is the exit code of the command.
 */
public final class TrainingCluster {

	private static final int USAGE = 2;

	private static final Duration LONGEST_END = Duration.ofSeconds(30);

	private final List<Path> manifests = new ArrayList<>();

	private List<String> command = List.of();

	private int copies = 500;

	private Duration period = Duration.ofMillis(5);

	private @Nullable Path kubeconfig;

	private TrainingCluster(String... args) {
		List<String> all = Arrays.asList(args);
		int end = all.indexOf("--");
		all.subList(0, (end < 0) ? all.size() : end).forEach(this::option);
		if (end >= 0) {
			this.command = List.copyOf(all.subList(end + 1, all.size()));
		}
		if (this.command.isEmpty() && this.kubeconfig == null) {
			throw new IllegalArgumentException("There is neither a command after '--' nor a '--kubeconfig=FILE'");
		}
	}

	private void option(String argument) {
		String[] parts = argument.split("=", 2);
		String value = (parts.length > 1) ? parts[1] : "";
		switch (parts[0]) {
			case "--copies" -> this.copies = number(argument, value);
			case "--period" -> this.period = Duration.ofMillis(number(argument, value));
			case "--kubeconfig" -> {
				if (value.isBlank()) {
					throw new IllegalArgumentException(
							"'%s' has no file, as in '--kubeconfig=FILE'".formatted(argument));
				}
				this.kubeconfig = Path.of(value);
			}
			default -> {
				if (argument.startsWith("-")) {
					throw new IllegalArgumentException("Unknown option '%s'".formatted(argument));
				}
				this.manifests.add(Path.of(argument));
			}
		}
	}

	private static int number(String argument, String value) {
		try {
			int number = Integer.parseInt(value);
			if (number > 0) {
				return number;
			}
		}
		catch (NumberFormatException ex) {
			// Throw the exception below, whose message shows an example.
		}
		throw new IllegalArgumentException("'%s' has no positive number, as in '--copies=500'".formatted(argument));
	}

	/**
	 * Runs a command with an embedded API.
	 * @param args files, options, two hyphens and the command
	 * @throws InterruptedException if the thread is interrupted
	 */
	public static void main(String[] args) throws InterruptedException {
		System.exit(run(System.err, args));
	}

	static int run(PrintStream errors, String... args) throws InterruptedException {
		try {
			return new TrainingCluster(args).run();
		}
		catch (IllegalArgumentException ex) {
			errors.println("TrainingCluster: " + ex.getMessage());
		}
		catch (IOException ex) {
			// Print the class, too, because the message may be only the name of a file.
			errors.println("TrainingCluster: " + ex);
		}
		return USAGE;
	}

	private int run() throws IOException, InterruptedException {
		Path file = (this.kubeconfig != null) ? this.kubeconfig : Files.createTempFile("kubeconfig", ".yaml");
		try (EmbeddedKubernetes api = EmbeddedKubernetes.builder()
			.tls()
			.protobuf(true)
			.user("training", "training-token", ApiUser::allowAll)
			.namespacesMustExist(false)
			.start()) {
			TrainingObjects objects = new TrainingObjects(api.server());
			objects.create(Manifests.read(this.manifests), this.copies);
			api.writeKubeconfig(file);
			return this.command.isEmpty() ? serve(objects) : run(objects, file);
		}
		finally {
			if (this.kubeconfig == null) {
				Files.deleteIfExists(file);
			}
		}
	}

	private int run(TrainingObjects objects, Path file) throws IOException, InterruptedException {
		ProcessBuilder builder = new ProcessBuilder(this.command).inheritIO();
		builder.environment().put("KUBECONFIG", file.toAbsolutePath().toString());
		Process process = builder.start();
		Thread end = new Thread(() -> end(process, file), "training-end");
		Runtime.getRuntime().addShutdownHook(end);
		while (!process.waitFor(this.period.toNanos(), TimeUnit.NANOSECONDS)) {
			objects.change();
		}
		return process.exitValue();
	}

	// Ends the command and waits, because it may be writing its archive. This method is
	// also called when the process of this class is terminated.
	private void end(Process process, Path file) {
		process.destroy();
		try {
			if (!process.waitFor(LONGEST_END.toMillis(), TimeUnit.MILLISECONDS)) {
				process.destroyForcibly();
			}
			if (this.kubeconfig == null) {
				Files.deleteIfExists(file);
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		catch (IOException ex) {
			System.err.println("TrainingCluster: " + ex);
		}
	}

	private int serve(TrainingObjects objects) throws InterruptedException {
		Thread input = new Thread(TrainingCluster::readInput, "training-input");
		input.setDaemon(true);
		input.start();
		while (input.isAlive()) {
			objects.change();
			input.join(Math.max(1, this.period.toMillis()));
		}
		return 0;
	}

	private static void readInput() {
		try {
			System.in.transferTo(OutputStream.nullOutputStream());
		}
		catch (IOException ex) {
			// This thread then ends, and with it the loop in serve().
			System.err.println("TrainingCluster: the input failed: " + ex.getMessage());
		}
	}

}
