package dev.kubeinformer.benchmark.large;

import java.io.IOException;
import java.util.List;

/**
 * API server in a process of its own, which is killed and started again.
 */
final class RestartedServer implements AutoCloseable {

	private final List<String> command;

	private Process process;

	/**
	 * Starts the server.
	 * @param command the command, which goes on for as long as the server does
	 * @throws IOException if it does not start
	 */
	RestartedServer(List<String> command) throws IOException {
		this.command = command;
		this.process = launch();
	}

	private Process launch() throws IOException {
		return new ProcessBuilder(this.command).redirectErrorStream(true)
			.redirectOutput(ProcessBuilder.Redirect.DISCARD)
			.start();
	}

	/**
	 * Kills the server, without a chance to end its connections in an orderly way.
	 * @throws InterruptedException if interrupted
	 */
	void kill() throws InterruptedException {
		this.process.destroyForcibly().waitFor();
	}

	/**
	 * Starts the server again.
	 * @throws IOException if it does not start
	 */
	void start() throws IOException {
		this.process = launch();
	}

	@Override
	public void close() {
		this.process.destroy();
	}

}
