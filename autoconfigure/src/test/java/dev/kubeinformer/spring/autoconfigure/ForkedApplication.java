package dev.kubeinformer.spring.autoconfigure;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.kubeinformer.spring.InformerContextRunner;

import static org.awaitility.Awaitility.await;

/**
 * An application in a JVM of its own, on the class path of the tests.
 */
public final class ForkedApplication implements AutoCloseable {

	private final List<String> output = new CopyOnWriteArrayList<>();

	private final Process process;

	private final Thread reader;

	private ForkedApplication(List<String> command) throws IOException {
		this.process = new ProcessBuilder(command).redirectErrorStream(true).start();
		this.reader = new Thread(() -> this.process.inputReader().lines().forEach(this.output::add));
		this.reader.start();
	}

	/**
	 * Starts an application.
	 * @param options options of the JVM
	 * @param main the class with the main method
	 * @param arguments the arguments, besides those that hide the cluster of the machine
	 * @return the application
	 * @throws IOException if it does not start
	 */
	public static ForkedApplication start(List<String> options, Class<?> main, String... arguments) throws IOException {
		List<String> command = new ArrayList<>();
		command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
		command.addAll(List.of("-Xmx256m", "-XX:TieredStopAtLevel=1"));
		command.addAll(options);
		command.add("-cp");
		command.add(classPath());
		command.add(main.getName());
		command.addAll(List.of(arguments));
		Stream.of(InformerContextRunner.NO_CLUSTER).map("--"::concat).forEach(command::add);
		return new ForkedApplication(command);
	}

	// Without what looks for a compose file, and keeps the class loader of a restarted
	// application by what it binds.
	private static String classPath() {
		return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
			.filter((entry) -> !entry.contains("spring-boot-docker-compose"))
			.collect(Collectors.joining(File.pathSeparator));
	}

	/**
	 * Waits for a line.
	 * @param text what the line contains
	 */
	public void awaitLine(String text) {
		await(text).atMost(60, TimeUnit.SECONDS).until(() -> {
			if (!this.process.isAlive()) {
				this.reader.join();
				return contains(text) || fail("The application has ended");
			}
			return contains(text);
		});
	}

	private boolean contains(String text) {
		return this.output.stream().anyMatch((line) -> line.contains(text));
	}

	private boolean fail(String problem) {
		throw new AssertionError(problem + ":\n" + String.join("\n", this.output));
	}

	public List<String> output() {
		return List.copyOf(this.output);
	}

	public boolean isAlive() {
		return this.process.isAlive();
	}

	/**
	 * Asks the application to end, as an operator does.
	 * @return the exit code
	 * @throws InterruptedException if the thread is interrupted
	 */
	int terminate() throws InterruptedException {
		// The process's own method would close its output, too.
		this.process.toHandle().destroy();
		return awaitExit();
	}

	public int awaitExit() throws InterruptedException {
		if (!this.process.waitFor(4, TimeUnit.MINUTES)) {
			fail("The application does not end");
		}
		this.reader.join();
		return this.process.exitValue();
	}

	@Override
	public void close() {
		this.process.destroyForcibly();
	}

}
