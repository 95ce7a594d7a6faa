package dev.kubeinformer.test;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;

import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * One request and its answer. It is in the log before the client can see the answer.
 */
final class Exchange {

	private static final Logger logger = LoggerFactory.getLogger(Exchange.class);

	static final String JSON = "application/json";

	static final String TEXT = "text/plain; charset=utf-8";

	private final Request request;

	private final Response response;

	private final Callback callback;

	private final ApiRequest recorded;

	private final RequestLog log;

	private @Nullable Interference interference;

	private @Nullable User user;

	private boolean logged;

	private Representation representation = new Representation(Representation.Form.FULL, "v1", true);

	Exchange(Request request, Response response, Callback callback, RequestLog log) {
		this.request = request;
		this.response = response;
		this.callback = callback;
		this.recorded = RequestReader.read(request);
		this.log = log;
	}

	ApiRequest recorded() {
		return this.recorded;
	}

	Query query() {
		return new Query(this.recorded.query());
	}

	String header(HttpHeader header) {
		String value = this.request.getHeaders().get(header);
		return (value != null) ? value : "";
	}

	byte[] body() {
		try (InputStream body = Request.asInputStream(this.request)) {
			return body.readAllBytes();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	// An answer before the end of the body would cost the client its connection, and its
	// next request on that, too.
	private void readRest() {
		try (InputStream rest = Request.asInputStream(this.request)) {
			rest.transferTo(OutputStream.nullOutputStream());
		}
		catch (IOException ex) {
			logger.debug("The client ended its request {} early", this.recorded, ex);
		}
	}

	// How the client wants the answer, once that is negotiated.
	Representation representation() {
		return this.representation;
	}

	void represent(Representation negotiated) {
		this.representation = negotiated;
	}

	// Who asks, or null if there are no users.
	@Nullable User user() {
		return this.user;
	}

	void identify(@Nullable User asking) {
		this.user = asking;
	}

	// Let a fault change the answer.
	void interfere(Interference given) {
		this.interference = given;
	}

	<I extends Interference> @Nullable I interference(Class<I> type) {
		return (type.isInstance(this.interference)) ? type.cast(this.interference) : null;
	}

	void json(int status, JsonNode body) {
		send(status, JSON, Json.write(body));
	}

	void text(int status, String body) {
		send(status, TEXT, Json.utf8(body));
	}

	void fail(RequestFailure exception) {
		ObjectNode status = exception.status();
		long retryAfter = status.path("details").path("retryAfterSeconds").asLong(0);
		if (retryAfter > 0) {
			this.response.getHeaders().put(HttpHeader.RETRY_AFTER, retryAfter);
		}
		json(exception.code(), status);
	}

	void send(int status, String contentType, byte[] body) {
		if (this.interference != null && this.interference.answer(this, status, body)) {
			return;
		}
		begin(status, contentType);
		end(body);
	}

	// End an answer that was begun.
	void end(byte[] body) {
		this.response.write(true, ByteBuffer.wrap(body), this.callback);
	}

	/**
	 * Begin an answer whose body the caller writes.
	 * @param status the status code
	 * @param contentType the type of the body
	 * @return where to write; {@link #callback()} is to be completed after it
	 */
	Response begin(int status, String contentType) {
		readRest();
		log(this.recorded.withStatus(status));
		this.response.setStatus(status);
		this.response.getHeaders().put(HttpHeader.CONTENT_TYPE, contentType);
		this.response.getHeaders().put(HttpHeader.CACHE_CONTROL, "no-cache, private");
		return (this.interference != null) ? this.interference.response(this.request, this.response) : this.response;
	}

	// Be seen in the log although there may never be an answer.
	void logUnanswered() {
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

	Callback callback() {
		return this.callback;
	}

	Request request() {
		return this.request;
	}

	/**
	 * Close the connection without an answer.
	 */
	void hangUp() {
		log(this.recorded);
		Connections.close(this.request, this.callback);
	}

	/**
	 * Close the connection, or reset the stream of HTTP/2, without an answer.
	 */
	void cut() {
		log(this.recorded);
		Connections.cut(this.request, this.callback);
	}

}
