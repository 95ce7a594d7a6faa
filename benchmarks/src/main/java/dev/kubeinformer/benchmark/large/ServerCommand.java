package dev.kubeinformer.benchmark.large;

import java.io.IOException;
import java.util.List;

/** Any API server, which is killed and started again by its command. */
final class ServerCommand implements RestartedServer {

	private final List<String> command;

	private Process process;

	/**
	 * Starts the server.
	 * @param command the command, which runs as long as the server
	 * @throws IOException if it does not start
	 */
	ServerCommand(List<String> command) throws IOException {
		this.command = command;
		this.process = launch();
	}

	private Process launch() throws IOException {
		return new ProcessBuilder(this.command).redirectErrorStream(true)
			.redirectOutput(ProcessBuilder.Redirect.DISCARD)
			.start();
	}

	@Override
	public void kill() throws InterruptedException {
		this.process.destroyForcibly().waitFor();
	}

	@Override
	public void start() throws IOException {
		this.process = launch();
	}

	@Override
	public void close() {
		this.process.destroy();
	}

}
