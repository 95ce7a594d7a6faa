package dev.kubeinformer.test;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.test.internal.http.HttpServer;
import dev.kubeinformer.test.internal.request.ApiRequest;
import dev.kubeinformer.test.internal.request.RequestLog;
import dev.kubeinformer.test.internal.scripted.Script;
import dev.kubeinformer.test.internal.scripted.ScriptHandler;

/**
 * HTTP server with scripted responses, for behaviour that a real API server shows only in
 * failures. Each request receives the first unused response that matches it, so responses
 * for lists and for watches are used in the order of these requests. A request that
 * matches no response receives a 500 that names the request, and makes {@link #verify()}
 * fail.
 */
public final class ScriptedApiServer implements AutoCloseable {

	private final RequestLog log = new RequestLog();

	private final List<Answer> answers = new ArrayList<>();

	private final List<StandingAnswer> standingAnswers = new ArrayList<>();

	private final List<RecordedRequest> unmatched = new ArrayList<>();

	private final ScriptHandler handler = new ScriptHandler(this.log, this::script);

	private final HttpServer server;

	private ScriptedApiServer() {
		this.server = HttpServer.of("scripted-api", 0, null).start(this.handler);
	}

	/**
	 * Starts a server on a free port.
	 * @return the server, to be closed by the caller
	 */
	public static ScriptedApiServer start() {
		return new ScriptedApiServer();
	}

	/**
	 * Returns the address for clients.
	 * @return the address without a slash at its end
	 */
	public String url() {
		return this.server.url();
	}

	/**
	 * Returns the port.
	 * @return the port on 127.0.0.1
	 */
	public int port() {
		return this.server.port();
	}

	/**
	 * Scripts the response to the next list.
	 * @param script the script of the response
	 * @return the response, which a test may extend while it is being sent
	 */
	public ScriptedReply onList(Consumer<ScriptedReply> script) {
		return on(new RequestPattern("list", RecordedRequest::isList), script);
	}

	/**
	 * Scripts the response to the next watch.
	 * @param script the script of the response
	 * @return the response, which a test may extend while it is being sent
	 */
	public ScriptedReply onWatch(Consumer<ScriptedReply> script) {
		return on(new RequestPattern("watch", RecordedRequest::isWatch), script);
	}

	/**
	 * Scripts the response to the next matching request.
	 * @param pattern the request, mostly one of {@link Requests}
	 * @param script the script of the response
	 * @return the response, which a test may extend while it is being sent
	 */
	public ScriptedReply on(Predicate<? super RecordedRequest> pattern, Consumer<ScriptedReply> script) {
		ScriptedReply reply = new ScriptedReply();
		script.accept(reply);
		synchronized (this.answers) {
			this.answers.add(new Answer(pattern, reply));
		}
		return reply;
	}

	/**
	 * Scripts the response to every matching request that matches no unused response.
	 * {@link #verify()} does not require its use.
	 * @param pattern the requests, mostly one of {@link Requests}
	 * @param script the script of the response, called for each request
	 */
	public void onEvery(Predicate<? super RecordedRequest> pattern, Consumer<ScriptedReply> script) {
		synchronized (this.answers) {
			this.standingAnswers.add(new StandingAnswer(pattern, script));
		}
	}

	/**
	 * Returns all requests with the status of their responses.
	 * @return the requests in the order of their responses
	 */
	public List<RecordedRequest> requests() {
		return RecordedRequest.of(this.log.requests());
	}

	/**
	 * Returns the requests that matched no response.
	 * @return the requests
	 */
	public List<RecordedRequest> unmatched() {
		synchronized (this.answers) {
			return List.copyOf(this.unmatched);
		}
	}

	/**
	 * Returns the number of requests in progress: their responses are not complete, and
	 * their clients have not cancelled them. A cancelled HTTP/1.1 request is noticed when
	 * the next byte is written.
	 * @return the number of requests
	 */
	public int openRequests() {
		return this.handler.open();
	}

	/**
	 * Checks that every response was used and every request had a response.
	 * @throws AssertionError if a response was not used, or a request had no response
	 */
	public void verify() {
		synchronized (this.answers) {
			if (!this.unmatched.isEmpty() || !this.answers.isEmpty()) {
				throw new AssertionError("Requests without a response: " + this.unmatched
						+ ", responses that no request asked for: " + this.answers);
			}
		}
	}

	/**
	 * Closes all open connections. New ones are accepted.
	 */
	public void dropConnections() {
		this.server.dropConnections();
	}

	/**
	 * Asks HTTP/2 clients to send further requests over other connections (GOAWAY), like
	 * the option {@code --goaway-chance} of kube-apiserver. Open requests are completed.
	 */
	public void goAway() {
		this.server.goAway();
	}

	@Override
	public void close() {
		this.server.close();
	}

	private @Nullable Script script(ApiRequest request) {
		ScriptedReply reply = take(RecordedRequest.of(request));
		return (reply != null) ? reply.script() : null;
	}

	private @Nullable ScriptedReply take(RecordedRequest request) {
		synchronized (this.answers) {
			for (Answer answer : this.answers) {
				if (answer.pattern().test(request)) {
					this.answers.remove(answer);
					return answer.reply();
				}
			}
			for (StandingAnswer answer : this.standingAnswers) {
				if (answer.pattern().test(request)) {
					ScriptedReply reply = new ScriptedReply();
					answer.script().accept(reply);
					return reply;
				}
			}
			this.unmatched.add(request);
			return null;
		}
	}

	/**
	 * Response that has not been used yet.
	 *
	 * @param pattern the pattern of requests
	 * @param reply the response
	 */
	private record Answer(Predicate<? super RecordedRequest> pattern, ScriptedReply reply) {

		@Override
		public String toString() {
			return this.pattern.toString();
		}

	}

	/**
	 * Response that can be used repeatedly.
	 *
	 * @param pattern the pattern of requests
	 * @param script the script of the response
	 */
	private record StandingAnswer(Predicate<? super RecordedRequest> pattern, Consumer<ScriptedReply> script) {

	}

}
