package dev.kubeinformer.internal.transport;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.List;

import io.kubernetes.client.openapi.ApiException;
import okhttp3.Call;
import okhttp3.Interceptor;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.Response;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.internal.failure.UnansweredException;
import dev.kubeinformer.internal.http.ClientRequests;
import dev.kubeinformer.internal.http.OwnConnection;
import dev.kubeinformer.internal.http.OwnConnections;
import dev.kubeinformer.internal.http.WriteBody;
import dev.kubeinformer.internal.transport.ApiConnections.Deadlines;

/**
 * Sends writes of runs over HTTP/1.1 connections that only writes use, if there are any.
 * Other requests are left to the HTTP client. It is the last of OkHttp's application
 * interceptors, so that the interceptors of the application come first.
 */
final class OwnConnectionInterceptor implements Interceptor {

	private final OwnConnections connections;

	private final Deadlines deadlines;

	/**
	 * Client for requests for the server's version, which show whether a silent server
	 * still responds.
	 */
	private final OkHttpClient others;

	private final ClientRequests requests;

	/**
	 * Creates an interceptor.
	 * @param connections the connections
	 * @param deadlines the longest waits for a response
	 * @param others the HTTP client for all other requests; it also probes a silent
	 * server
	 * @param requests builds requests
	 */
	OwnConnectionInterceptor(OwnConnections connections, Deadlines deadlines, OkHttpClient others,
			ClientRequests requests) {
		this.connections = connections;
		this.deadlines = deadlines;
		this.others = others.newBuilder().callTimeout(deadlines.ping()).build();
		this.requests = requests;
	}

	@Override
	public Response intercept(Chain chain) throws IOException {
		Request request = chain.request();
		RunCalls run = request.tag(RunCalls.class);
		OwnConnection connection = (run != null && request.body() instanceof WriteBody body)
				? this.connections.take(request.url(), body, FenceInterceptor.isRepeatable(request), run) : null;
		if (run == null || connection == null) {
			return chain.proceed(request);
		}
		Response response;
		try {
			run.begin(connection);
			response = send(chain, connection, (WriteBody) request.body(), run);
		}
		finally {
			run.end(connection);
			this.connections.release(connection);
		}
		return (response != null) ? response
				: chain.proceed(request.newBuilder().tag(Repeated.class, Repeated.LAST).build());
	}

	// Returns null if the request must be sent once more.
	private @Nullable Response send(Chain chain, OwnConnection connection, WriteBody body, RunCalls run)
			throws IOException {
		Request request = chain.request();
		if (Thread.currentThread().isInterrupted()) {
			throw new InterruptedIOException("interrupted");
		}
		// Check once more before the bytes are sent, because the request may have waited
		// for credentials.
		run.requireAdmitted(request);
		try {
			Response response = connection.exchange(request, body, this.deadlines.opening().toNanos(),
					new VersionProbe(this.others, this.requests, this.deadlines.ping(), run));
			if (!FenceInterceptor.isRepeatable(request)) {
				return FenceInterceptor.unrepeated(response);
			}
			return FenceInterceptor.isToBeRepeated(response) ? null : response;
		}
		catch (IOException ex) {
			if (connection.isAnswered() || run.isCancelled() || chain.call().isCanceled()
					|| ex instanceof InterruptedIOException) {
				throw ex;
			}
			if (!FenceInterceptor.isRepeatable(request)) {
				throw new UnansweredException(ex);
			}
			return null;
		}
	}

	/** Tag of a request that was sent before. */
	enum Repeated {

		/** The request is sent once more, but not again. */
		LAST

	}

	/**
	 * Checks that a silent server still responds: requests its version, as often as
	 * HTTP/2 connections are pinged. Any response is sufficient, even an error.
	 *
	 * @param client the client
	 * @param requests builds the request
	 * @param interval the interval of the requests and the longest wait for a response
	 * @param run the waiting run, whose cancellation cancels the probe
	 */
	private record VersionProbe(OkHttpClient client, ClientRequests requests, Duration interval,
			RunCalls run) implements OwnConnection.Probe {

		@Override
		public void ask() throws IOException {
			Call call;
			try {
				call = this.client
					.newCall(this.requests.build("GET", "/version", List.of(), "application/json", null).build());
			}
			catch (ApiException ex) {
				throw new IOException("Cannot check whether the server is available", ex);
			}
			this.run.begin(call);
			try {
				call.execute().close();
			}
			catch (IOException | RuntimeException ex) {
				SocketTimeoutException silent = new SocketTimeoutException(
						"no response within %d ms, nor one to another request".formatted(this.interval.toMillis()));
				silent.initCause(ex);
				throw silent;
			}
			finally {
				this.run.end(call);
			}
		}

	}

}
