package dev.kubeinformer.benchmark.leader;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.openapi.apis.VersionApi;
import io.kubernetes.client.util.Config;

/** Outage that kills an API server that it started, and restarts it. */
class ServerOutage implements Outage {

	private static final Duration START = Duration.ofMinutes(2);

	private static final Duration LOOK = Duration.ofMillis(200);

	private final List<String> command;

	private final Path kubeconfig;

	private Process server;

	/**
	 * Starts the API server.
	 * @param command the command, which runs as long as the server and finds its former
	 * data
	 * @param kubeconfig the kubeconfig, which the command may write
	 * @throws IOException if it does not start
	 * @throws InterruptedException if interrupted
	 */
	ServerOutage(String command, Path kubeconfig) throws IOException, InterruptedException {
		this.command = List.of(command.split(" "));
		this.kubeconfig = kubeconfig;
		this.server = start();
		awaitReady();
	}

	private Process start() throws IOException {
		return new ProcessBuilder(this.command).redirectErrorStream(true)
			.redirectOutput(ProcessBuilder.Redirect.DISCARD)
			.start();
	}

	private void awaitReady() throws IOException, InterruptedException {
		long begin = System.nanoTime();
		while (!isReady()) {
			if (!this.server.isAlive() || System.nanoTime() - begin > START.toNanos()) {
				throw new IOException("'%s' gives no API server".formatted(String.join(" ", this.command)));
			}
			Thread.sleep(LOOK.toMillis());
		}
	}

	private boolean isReady() throws IOException {
		if (!Files.exists(this.kubeconfig)) {
			return false;
		}
		try {
			new VersionApi(Config.fromConfig(Files.newBufferedReader(this.kubeconfig))).getCode().execute();
			return true;
		}
		catch (ApiException ex) {
			return false;
		}
	}

	@Override
	public Path kubeconfig() {
		return this.kubeconfig;
	}

	@Override
	public void begin() throws InterruptedException {
		this.server.destroyForcibly().waitFor();
	}

	@Override
	public void end() throws IOException, InterruptedException {
		this.server = start();
		awaitReady();
	}

	@Override
	public void close() {
		this.server.destroy();
	}

}
