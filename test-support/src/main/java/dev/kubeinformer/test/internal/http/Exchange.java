package dev.kubeinformer.test.internal.http;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import dev.kubeinformer.test.internal.access.User;
import dev.kubeinformer.test.internal.json.Json;
import dev.kubeinformer.test.internal.request.ApiRequest;
import dev.kubeinformer.test.internal.request.Query;
import dev.kubeinformer.test.internal.request.Representation;
import dev.kubeinformer.test.internal.request.RequestLog;
import dev.kubeinformer.test.internal.status.RequestFailure;
import dev.kubeinformer.test.internal.status.Statuses;

/**
 * Request with its response. The request is logged before the client can see the
 * response.
 */
public final class Exchange {

	private static final Logger logger = LoggerFactory.getLogger(Exchange.class);

	/**
	 * Media type of JSON.
	 */
	public static final String JSON = "application/json";

	/**
	 * Maximum length of a body in kube-apiserver ({@code MaxRequestBodyBytes} in
	 * pkg/server/config.go of k8s.io/apiserver).
	 */
	private static final int LONGEST_BODY = 3 * 1024 * 1024;

	static final String TEXT = "text/plain; charset=utf-8";

	private final Request request;

	private final Response response;

	private final Callback callback;

	private final ApiRequest recorded;

	private final RequestLog log;

	private @Nullable Interference interference;

	private @Nullable User user;

	private boolean logged;

	private final Set<String> warnings = new LinkedHashSet<>();

	private byte[] body = new byte[0];

	private Representation representation = new Representation(Representation.Form.FULL, "v1", true, false);

	public Exchange(Request request, Response response, Callback callback, RequestLog log) {
		this.request = request;
		this.response = response;
		this.callback = callback;
		this.recorded = RequestReader.read(request);
		this.log = log;
	}

	public ApiRequest recorded() {
		return this.recorded;
	}

	public Query query() {
		return new Query(this.recorded.query());
	}

	public String header(HttpHeader header) {
		String value = this.request.getHeaders().get(header);
		return (value != null) ? value : "";
	}

	/**
	 * Reads the body.
	 * @return the body, empty if there is none
	 * @throws RequestFailure 413 if it is longer than kube-apiserver accepts
	 */
	public byte[] body() {
		try (InputStream body = Request.asInputStream(this.request)) {
			byte[] bytes = body.readNBytes(LONGEST_BODY + 1);
			if (bytes.length > LONGEST_BODY) {
				throw Statuses.bodyTooLarge(LONGEST_BODY);
			}
			this.body = bytes;
			return bytes;
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Finds the fields that the body sets twice.
	 * @return the paths of these fields
	 */
	public List<String> duplicateFields() {
		return DuplicateFields.find(this.body);
	}

	/**
	 * Adds a warning to the response, as a header.
	 * @param text the text of the warning
	 */
	public void warn(String text) {
		this.warnings.add(text);
	}

	// Read the body before the response: otherwise the connection would be closed, and
	// the next request on it would fail, too.
	private void readRest() {
		try (InputStream rest = Request.asInputStream(this.request)) {
			rest.transferTo(OutputStream.nullOutputStream());
		}
		catch (IOException ex) {
			logger.debug("The client ended its request {} early", this.recorded, ex);
		}
	}

	// Negotiated representation of the response.
	public Representation representation() {
		return this.representation;
	}

	public void represent(Representation negotiated) {
		this.representation = negotiated;
	}

	// User of the request, or null if there are no users.
	public @Nullable User user() {
		return this.user;
	}

	public void identify(@Nullable User asking) {
		this.user = asking;
	}

	// Lets a fault change the response.
	public void interfere(Interference given) {
		this.interference = given;
	}

	public <I extends Interference> @Nullable I interference(Class<I> type) {
		return (type.isInstance(this.interference)) ? type.cast(this.interference) : null;
	}

	public void json(int status, JsonNode body) {
		send(status, JSON, Json.write(body));
	}

	public void text(int status, String body) {
		send(status, TEXT, Json.utf8(body));
	}

	public void fail(RequestFailure exception) {
		ObjectNode status = exception.status();
		long retryAfter = status.path("details").path("retryAfterSeconds").asLong(0);
		if (retryAfter > 0) {
			this.response.getHeaders().put(HttpHeader.RETRY_AFTER, retryAfter);
		}
		json(exception.code(), status);
	}

	public void send(int status, String contentType, byte[] body) {
		if (this.interference != null && this.interference.answer(this, status, body)) {
			return;
		}
		begin(status, contentType);
		end(body);
	}

	// Ends a response that was begun.
	public void end(byte[] body) {
		this.response.write(true, ByteBuffer.wrap(body), this.callback);
	}

	/**
	 * Begins a response whose body the caller writes.
	 * @param status the status code
	 * @param contentType the type of the body
	 * @return the sink for the body; the caller completes {@link #callback()} after the
	 * last write
	 */
	public Response begin(int status, String contentType) {
		readRest();
		log(this.recorded.withStatus(status));
		this.response.setStatus(status);
		this.response.getHeaders().put(HttpHeader.CONTENT_TYPE, contentType);
		this.response.getHeaders().put(HttpHeader.CACHE_CONTROL, "no-cache, private");
		this.warnings.forEach((text) -> this.response.getHeaders()
			.add("Warning", "299 - \"" + text.replace("\\", "\\\\").replace("\"", "\\\"") + "\""));
		return (this.interference != null) ? this.interference.response(this.request, this.response) : this.response;
	}

	// Logs the request now, because there may never be a response.
	public void logUnanswered() {
		log(this.recorded);
	}

	private void log(ApiRequest request) {
		if (this.logged) {
			this.log.replace(this.recorded, request);
		}
		else {
			this.log.add(request);
		}
		this.logged = true;
	}

	public Callback callback() {
		return this.callback;
	}

	public Request request() {
		return this.request;
	}

	/**
	 * Closes the connection without a response.
	 */
	public void hangUp() {
		log(this.recorded);
		Connections.close(this.request, this.callback);
	}

	/**
	 * Closes the connection, or resets the stream of HTTP/2, without a response.
	 */
	public void cut() {
		log(this.recorded);
		Connections.cut(this.request, this.callback);
	}

}
