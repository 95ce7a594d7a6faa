package dev.kubeinformer.internal.client.credential;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;

/**
 * Process of a credential plugin. It has no standard input, because a service has no
 * terminal. As in client-go, it uses the standard error of this process, because a plugin
 * for a login in a browser prints its instructions there.
 */
final class PluginProcess {

	private static final int LARGEST_OUTPUT = 1 << 20;

	/** Time that the process may take to end after it was asked to terminate. */
	private static final Duration GRACE = Duration.ofSeconds(2);

	/**
	 * Longest wait for the end of the output after the process has ended. Another process
	 * that the plugin has started may keep the output open.
	 */
	private static final Duration REST = Duration.ofSeconds(1);

	private final Process process;

	private final ByteArrayOutputStream output = new ByteArrayOutputStream();

	private final CompletableFuture<Boolean> bounded = new CompletableFuture<>();

	private PluginProcess(Process process) {
		this.process = process;
	}

	/**
	 * Starts a plugin.
	 * @param command the command and its arguments
	 * @param environment the environment variables to add to those of this process
	 * @return the running plugin
	 * @throws IOException if it cannot be started
	 * @throws IllegalArgumentException if a variable cannot be set
	 */
	static PluginProcess start(List<String> command, Map<String, String> environment) throws IOException {
		ProcessBuilder builder = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT);
		builder.environment().putAll(environment);
		PluginProcess started = new PluginProcess(builder.start());
		try {
			started.process.getOutputStream().close();
			Caretaker.thread(started::read).start();
		}
		catch (IOException | RuntimeException | Error ex) {
			started.kill();
			throw ex;
		}
		return started;
	}

	private void read() {
		boolean whole = true;
		try (InputStream input = this.process.getInputStream()) {
			byte[] buffer = new byte[8192];
			for (int length = input.read(buffer); length >= 0; length = input.read(buffer)) {
				this.output.write(buffer, 0, length);
				if (this.output.size() > LARGEST_OUTPUT) {
					whole = false;
					terminate();
					break;
				}
			}
		}
		catch (IOException ex) {
			// The process has ended.
		}
		finally {
			this.bounded.complete(whole);
		}
	}

	/**
	 * Waits for the end of the plugin, and terminates it after a timeout.
	 * @param patience the maximum time for the run
	 * @return the result
	 * @throws InterruptedException if this thread is interrupted; the plugin is
	 * terminated first
	 */
	Result await(Duration patience) throws InterruptedException {
		try {
			if (!this.process.waitFor(patience.toNanos(), TimeUnit.NANOSECONDS)) {
				return new Result(Outcome.HUNG, 0, new byte[0]);
			}
			boolean whole = isWhole();
			return new Result(whole ? Outcome.ENDED : Outcome.TOO_LARGE, this.process.exitValue(),
					whole ? this.output.toByteArray() : new byte[0]);
		}
		finally {
			if (this.process.isAlive()) {
				kill();
			}
		}
	}

	private boolean isWhole() throws InterruptedException {
		try {
			return this.bounded.get(REST.toNanos(), TimeUnit.NANOSECONDS);
		}
		catch (TimeoutException ex) {
			return true;
		}
		catch (ExecutionException ex) {
			throw new IllegalStateException(ex);
		}
	}

	/**
	 * Asks the plugin and the processes that it has started to terminate. It does not
	 * wait for them.
	 */
	void terminate() {
		tree().forEach(ProcessHandle::destroy);
	}

	private void kill() {
		List<ProcessHandle> tree = tree();
		tree.forEach(ProcessHandle::destroy);
		boolean interrupted = Thread.interrupted();
		try {
			this.process.waitFor(GRACE.toNanos(), TimeUnit.NANOSECONDS);
		}
		catch (InterruptedException ex) {
			interrupted = true;
		}
		tree.forEach(ProcessHandle::destroyForcibly);
		if (interrupted) {
			Thread.currentThread().interrupt();
		}
	}

	private List<ProcessHandle> tree() {
		ProcessHandle root = this.process.toHandle();
		return Stream.concat(root.descendants(), Stream.of(root)).toList();
	}

	/**
	 * Outcome of a run.
	 */
	enum Outcome {

		/** The process has ended. */
		ENDED,

		/** The process was ended because it took too long. */
		HUNG,

		/** The process was ended because it printed too much. */
		TOO_LARGE

	}

	/**
	 * Result of a run. {@link #toString()} does not show the output.
	 *
	 * @param outcome the outcome
	 * @param exitCode the exit code, if the process ended by itself
	 * @param output the output
	 */
	record Result(Outcome outcome, int exitCode, byte[] output) {

		@Override
		public String toString() {
			return "Result[" + this.outcome + ", " + this.exitCode + "]";
		}

	}

}
