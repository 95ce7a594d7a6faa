package dev.kubeinformer.test;

import java.io.IOException;

import okhttp3.Call;
import okhttp3.Response;
import okio.BufferedSource;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

import dev.kubeinformer.test.internal.json.Json;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The events of a watch, masked as an {@link Answer} is.
 */
final class LineStream implements AutoCloseable {

	private final Call call;

	private final Response response;

	private final BufferedSource source;

	private final String namespace;

	private String last = "";

	LineStream(Call call, String namespace) throws IOException {
		this.call = call;
		this.response = call.execute();
		this.source = this.response.body().source();
		this.namespace = namespace;
	}

	int code() {
		return this.response.code();
	}

	String contentType() {
		return this.response.header("Content-Type", "");
	}

	String contentEncoding() {
		return this.response.header("Content-Encoding", "");
	}

	private @Nullable String line() throws IOException {
		return this.source.readUtf8Line();
	}

	/**
	 * Returns the next event.
	 */
	JsonNode event() throws IOException {
		String line = line();
		assertThat(line).as("next line of the watch").isNotNull();
		this.last = line;
		return Answer.mask(line, this.namespace);
	}

	/**
	 * Returns the next event as "TYPE name".
	 */
	String next() throws IOException {
		JsonNode event = event();
		String name = event.path("object").path("metadata").path("name").asString("");
		return (event.path("type").asString() + " " + name).trim();
	}

	/**
	 * Returns the next event that is none of the bookmarks, which a server may send at
	 * any time once the initial events are marked.
	 */
	String nextChange() throws IOException {
		String next = next();
		while (next.equals("BOOKMARK")) {
			next = next();
		}
		return next;
	}

	/**
	 * Returns the event sent last, unmasked.
	 */
	JsonNode last() {
		return Json.readObject(this.last);
	}

	String lastResourceVersion() {
		return last().path("object").path("metadata").path("resourceVersion").asString();
	}

	/**
	 * Checks that the server ends the stream, and nothing more is sent.
	 */
	void isAtEnd() throws IOException {
		assertThat(line()).as("end of the watch").isNull();
	}

	@Override
	public void close() {
		this.call.cancel();
		this.response.close();
	}

}
