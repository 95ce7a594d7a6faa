package dev.kubeinformer.benchmark;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

import io.kubernetes.client.openapi.ApiClient;

/** {@link RawApi} in a separate process. */
final class RawApiProcess implements AutoCloseable {

	private final Process process;

	private final OutputStream commands;

	private final BufferedReader answers;

	private final String url;

	RawApiProcess(int pods, String size) throws IOException {
		this.process = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xms1g",
				"-XX:+UseParallelGC", "-cp", System.getProperty("java.class.path"), RawApi.class.getName(),
				Integer.toString(pods), size)
			.redirectError(ProcessBuilder.Redirect.INHERIT)
			.start();
		this.commands = this.process.getOutputStream();
		this.answers = new BufferedReader(new InputStreamReader(this.process.getInputStream(), StandardCharsets.UTF_8));
		this.url = "http://localhost:" + this.answers.readLine();
	}

	ApiClient client() {
		ApiClient client = new ApiClient();
		client.setBasePath(this.url);
		return client;
	}

	void send(int events, int rate) throws IOException {
		command("send " + events + " " + rate);
	}

	void expire() throws IOException {
		command("expire");
	}

	void change(int pods) throws IOException {
		command("change " + pods);
	}

	void hold() throws IOException {
		command("hold");
	}

	/**
	 * Waits until a list was sent except for its last bytes.
	 * @throws IOException if the server has ended
	 */
	void awaitHeld() throws IOException {
		if (this.answers.readLine() == null) {
			throw new IOException("The server has gone");
		}
	}

	void release() throws IOException {
		command("release");
	}

	private void command(String command) throws IOException {
		this.commands.write((command + "\n").getBytes(StandardCharsets.UTF_8));
		this.commands.flush();
	}

	@Override
	public void close() throws IOException {
		this.commands.close();
		try {
			this.process.waitFor(10, TimeUnit.SECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		this.process.destroy();
	}

}
