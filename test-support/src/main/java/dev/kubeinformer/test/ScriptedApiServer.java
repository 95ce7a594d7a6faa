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
 * HTTP server that answers as a test has written down, for what a real API server does
 * only when it is ill. Each request is answered by the first unused answer that matches
 * it, so that answers for lists and for watches are given in the order in which each kind
 * is asked for. A request without an answer gets a 500 that names it, and
 * {@link #verify()} fails.
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
	 * Writes down the answer to the next list.
	 * @param script describes the answer
	 * @return the answer, to which a test may add while it is given
	 */
	public ScriptedReply onList(Consumer<ScriptedReply> script) {
		return on(new RequestPattern("list", RecordedRequest::isList), script);
	}

	/**
	 * Writes down the answer to the next watch.
	 * @param script describes the answer
	 * @return the answer, to which a test may add while it is given
	 */
	public ScriptedReply onWatch(Consumer<ScriptedReply> script) {
		return on(new RequestPattern("watch", RecordedRequest::isWatch), script);
	}

	/**
	 * Writes down the answer to the next request that matches.
	 * @param pattern the request, mostly one of {@link Requests}
	 * @param script describes the answer
	 * @return the answer, to which a test may add while it is given
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
	 * Writes down the answer to every request that matches and for which no other answer
	 * is left. Whether it is ever asked for does not matter to {@link #verify()}.
	 * @param pattern the requests, mostly one of {@link Requests}
	 * @param script describes the answer, anew for each request
	 */
	public void onEvery(Predicate<? super RecordedRequest> pattern, Consumer<ScriptedReply> script) {
		synchronized (this.answers) {
			this.standingAnswers.add(new StandingAnswer(pattern, script));
		}
	}

	/**
	 * Returns all requests, with the status that each was answered with.
	 * @return the requests in the order of their answers
	 */
	public List<RecordedRequest> requests() {
		return RecordedRequest.of(this.log.requests());
	}

	/**
	 * Returns the requests for which no answer was left.
	 * @return the requests
	 */
	public List<RecordedRequest> unmatched() {
		synchronized (this.answers) {
			return List.copyOf(this.unmatched);
		}
	}

	/**
	 * Returns how many requests are not answered to their end, nor given up by their
	 * clients; of the latter, those of HTTP/1.1 are noticed when the next byte is
	 * written.
	 * @return the number of requests
	 */
	public int openRequests() {
		return this.handler.open();
	}

	/**
	 * Checks that every answer was asked for and every request had one.
	 * @throws AssertionError if not
	 */
	public void verify() {
		synchronized (this.answers) {
			if (!this.unmatched.isEmpty() || !this.answers.isEmpty()) {
				throw new AssertionError("Requests without an answer: " + this.unmatched
						+ ", answers that no request asked for: " + this.answers);
			}
		}
	}

	/**
	 * Cuts every open connection. New ones are accepted.
	 */
	public void dropConnections() {
		this.server.dropConnections();
	}

	/**
	 * Asks the clients of HTTP/2 to make further requests over other connections
	 * (GOAWAY), as kube-apiserver does by its option {@code --goaway-chance}. Open
	 * requests are answered to their end.
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
	 * Answer that is not given yet.
	 *
	 * @param pattern what it answers
	 * @param reply the answer
	 */
	private record Answer(Predicate<? super RecordedRequest> pattern, ScriptedReply reply) {

		@Override
		public String toString() {
			return this.pattern.toString();
		}

	}

	/**
	 * Answer that is given again and again.
	 *
	 * @param pattern what it answers
	 * @param script describes the answer
	 */
	private record StandingAnswer(Predicate<? super RecordedRequest> pattern, Consumer<ScriptedReply> script) {

	}

}
