package dev.kubeinformer.sample.page;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;

import org.jspecify.annotations.Nullable;

/**
 * An open feed of the page, as a browser without a window reads it.
 */
final class LiveStream implements AutoCloseable {

	private final HttpResponse<InputStream> response;

	private final BufferedReader lines;

	private LiveStream(HttpResponse<InputStream> response) {
		this.response = response;
		this.lines = new BufferedReader(new InputStreamReader(response.body(), StandardCharsets.UTF_8));
	}

	static LiveStream open(int port, long lastId) throws IOException, InterruptedException {
		HttpRequest request = HttpRequest.newBuilder(URI.create("http://localhost:%d/live".formatted(port)))
			.header("Last-Event-ID", String.valueOf(lastId))
			.build();
		return new LiveStream(HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofInputStream()));
	}

	int status() {
		return this.response.statusCode();
	}

	String header(String name) {
		return this.response.headers().firstValue(name).orElse("");
	}

	/**
	 * The next message, or {@code null} at the end.
	 */
	@Nullable Received next() throws IOException {
		Received message = new Received("", "", "");
		for (String line = this.lines.readLine(); line != null; line = this.lines.readLine()) {
			if (line.isEmpty()) {
				return message;
			}
			String value = line.substring(line.indexOf(':') + 1).strip();
			message = switch (line.substring(0, line.indexOf(':'))) {
				case "event" -> new Received(value, message.id(), message.data());
				case "id" -> new Received(message.name(), value, message.data());
				case "data" -> new Received(message.name(), message.id(), message.data() + value);
				default -> throw new IOException("Unexpected line '%s'".formatted(line));
			};
		}
		return null;
	}

	/**
	 * The next message of a name.
	 */
	Received next(String name) throws IOException {
		for (Received message = next(); message != null; message = next()) {
			if (message.name().equals(name)) {
				return message;
			}
		}
		throw new IOException("The feed ended without a '%s'".formatted(name));
	}

	@Override
	public void close() throws IOException {
		this.lines.close();
	}

	/**
	 * A message as it came.
	 */
	record Received(String name, String id, String data) {

	}

}
