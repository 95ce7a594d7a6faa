package dev.kubeinformer.internal.lease;

import java.io.Closeable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.Pair;
import okhttp3.Call;
import okhttp3.Callback;
import okhttp3.ConnectionPool;
import okhttp3.Dispatcher;
import okhttp3.MediaType;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.RequestBody;
import okhttp3.Response;
import okio.BufferedSource;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.internal.codec.ApiStatus;
import dev.kubeinformer.internal.codec.json.JsonMappers;
import dev.kubeinformer.internal.failure.ApiStatusException;
import dev.kubeinformer.internal.http.AnswerBodies;
import dev.kubeinformer.internal.http.Redirects;
import dev.kubeinformer.internal.http.TokenRefresh;
import dev.kubeinformer.internal.http.Warnings;
import dev.kubeinformer.internal.transport.ApiConnections;

/**
 * Sends requests for Leases over dedicated connections, so that other requests of the
 * application's API client cannot delay them. Safe for use by several threads.
 */
final class LeaseCalls implements Closeable {

	private static final String JSON = "application/json";

	/** Longest response or watch event in bytes; an event is one line with one Lease. */
	private static final int LONGEST = 2 * 1024 * 1024;

	private static final Duration KEEP_ALIVE = Duration.ofSeconds(60);

	/**
	 * Longest time without a byte of a watch. It is longer than the time between two
	 * renewals.
	 */
	private static final Duration SILENCE = Duration.ofSeconds(60);

	private static final Duration PING = Duration.ofSeconds(5);

	private final ApiClient apiClient;

	private final TokenRefresh tokenRefresh = new TokenRefresh(System::nanoTime, "leader-credentials");

	private final JsonMappers mappers = new JsonMappers(false);

	private final String collection;

	private final Duration timeout;

	private final ExecutorService threads;

	private final Consumer<String> warnings;

	private final OkHttpClient watches;

	private volatile OkHttpClient client;

	private volatile @Nullable Call watch;

	private volatile boolean closed;

	LeaseCalls(ApiClient apiClient, String namespace, Duration timeout, ExecutorService threads,
			Consumer<String> warnings) {
		this.warnings = warnings;
		this.apiClient = apiClient;
		this.timeout = timeout;
		this.threads = threads;
		this.collection = "/apis/coordination.k8s.io/v1/namespaces/" + apiClient.escapeString(namespace) + "/leases";
		OkHttpClient.Builder builder = ApiConnections.unrecorded(this.tokenRefresh.share(apiClient.getHttpClient()))
			.newBuilder();
		OkHttpClient own = Redirects.refuse(builder).retryOnConnectionFailure(true).build();
		this.client = connected(own.newBuilder()
			.callTimeout(timeout)
			.connectTimeout(timeout)
			.readTimeout(timeout)
			.writeTimeout(timeout)
			.build());
		this.watches = connected(own.newBuilder()
			.callTimeout(Duration.ZERO)
			.connectTimeout(timeout)
			.writeTimeout(timeout)
			.readTimeout(SILENCE)
			.pingInterval(PING)
			.build());
	}

	private OkHttpClient connected(OkHttpClient of) {
		return of.newBuilder()
			.connectionPool(new ConnectionPool(1, KEEP_ALIVE.toMillis(), TimeUnit.MILLISECONDS))
			.dispatcher(new Dispatcher(this.threads))
			.build();
	}

	/**
	 * Returns the path of one Lease.
	 * @param name the name of the Lease
	 * @return the path
	 */
	String path(String name) {
		return this.collection + "/" + this.apiClient.escapeString(name);
	}

	/**
	 * Returns the path of all Leases of the namespace.
	 * @return the path
	 */
	String path() {
		return this.collection;
	}

	/**
	 * Sends a request and reads its response within the timeout.
	 * @param <T> the type of the result
	 * @param method the HTTP method
	 * @param path the path
	 * @param query the query
	 * @param body the body; {@code null} for none
	 * @param reader reads the body of the response
	 * @return the result
	 * @throws ApiStatusException if the API server rejects the request
	 * @throws IOException if there is no reliable response
	 */
	<T> T send(String method, String path, List<Pair> query, byte @Nullable [] body, AnswerReader<T> reader)
			throws IOException {
		OkHttpClient used = this.client;
		Request request = ApiConnections.request(this.apiClient, method, path, query, JSON);
		if (body != null) {
			request = request.newBuilder()
				.header("Content-Type", JSON)
				.method(method, RequestBody.create(body, MediaType.get(JSON)))
				.build();
		}
		try {
			if (this.closed) {
				throw new IOException("Canceled: the elector was stopped");
			}
			return answer(used.newCall(request), reader);
		}
		catch (InterruptedIOException ex) {
			// Use new connections, because the previous one may be the cause.
			this.client = connected(used);
			used.connectionPool().evictAll();
			if ("timeout".equals(ex.getMessage())) {
				// The timeout of the HTTP client was over, which is as long as the
				// timeout of the request.
				throw (IOException) new InterruptedIOException(
						"no response within %d ms".formatted(this.timeout.toMillis()))
					.initCause(ex);
			}
			throw ex;
		}
	}

	/**
	 * Waits for the response to a request that another thread sends. OkHttp's own timeout
	 * would interrupt neither a DNS lookup nor an interceptor of the application.
	 * @param <T> the type of the result
	 * @param call the request
	 * @param reader reads the body of the response
	 * @return the result
	 * @throws IOException if there is no response in time
	 */
	private <T> T answer(Call call, AnswerReader<T> reader) throws IOException {
		CompletableFuture<T> answer = new CompletableFuture<>();
		call.enqueue(new Callback() {

			@Override
			public void onResponse(Call answered, Response response) {
				try (response) {
					answer.complete(read(response, reader));
				}
				catch (Throwable ex) {
					// This includes exceptions of an interceptor while the body is read.
					answer.completeExceptionally(ex);
				}
			}

			@Override
			public void onFailure(Call failed, IOException ex) {
				answer.completeExceptionally(ex);
			}

		});
		try {
			return answer.get(this.timeout.toNanos(), TimeUnit.NANOSECONDS);
		}
		catch (TimeoutException ex) {
			call.cancel();
			throw (IOException) new InterruptedIOException(
					"no response within %d ms".formatted(this.timeout.toMillis()))
				.initCause(ex);
		}
		catch (InterruptedException ex) {
			call.cancel();
			Thread.currentThread().interrupt();
			throw (IOException) new InterruptedIOException("interrupted").initCause(ex);
		}
		catch (ExecutionException ex) {
			Throwable cause = Objects.requireNonNullElse(ex.getCause(), ex);
			if (cause instanceof IOException failure) {
				throw failure;
			}
			throw new IOException("the client failed with " + cause.getClass().getName(), cause);
		}
	}

	private <T> T read(Response response, AnswerReader<T> reader) throws IOException {
		warn(response);
		if (!response.isSuccessful()) {
			throw refused(response);
		}
		return reader.read(AnswerBodies.read(response, LONGEST));
	}

	private void warn(Response response) {
		Warnings.report(response, "", (resource, text) -> this.warnings.accept(text));
	}

	private ApiStatusException refused(Response response) throws IOException {
		if (response.code() == HttpURLConnection.HTTP_UNAUTHORIZED) {
			this.tokenRefresh.renew(response);
		}
		ApiStatus redirect = Redirects.status(response);
		if (redirect != null) {
			return new ApiStatusException(redirect);
		}
		byte[] answer = AnswerBodies.readError(response, () -> this.closed);
		return new ApiStatusException(this.mappers.readStatus(response.code(), answer));
	}

	/**
	 * Watches Leases. Returns when the API server ends the watch.
	 * @param selection the query that selects Leases
	 * @param limit the longest duration of the watch
	 * @param events receives each event as JSON
	 * @throws ApiStatusException if the API server rejects the request
	 * @throws IOException if the watch fails
	 */
	void watch(List<Pair> selection, Duration limit, EventReader events) throws IOException {
		List<Pair> query = new ArrayList<>(selection);
		query.add(new Pair("watch", "true"));
		query.add(new Pair("timeoutSeconds", Long.toString(limit.toSeconds())));
		OkHttpClient lasting = this.watches.newBuilder().callTimeout(limit.plus(this.timeout)).build();
		Call call = lasting.newCall(ApiConnections.request(this.apiClient, "GET", this.collection, query, JSON));
		this.watch = call;
		if (this.closed) {
			return;
		}
		try (Response response = call.execute()) {
			warn(response);
			if (!response.isSuccessful()) {
				throw refused(response);
			}
			BufferedSource lines = response.body().source();
			while (!lines.exhausted()) {
				events.read(lines.readUtf8LineStrict(LONGEST));
			}
		}
		finally {
			this.watch = null;
		}
	}

	/**
	 * Ends the current watch, if there is one.
	 */
	void endWatch() {
		Call open = this.watch;
		if (open != null) {
			open.cancel();
		}
	}

	/** Ends the watch and rejects further requests. */
	@Override
	public void close() {
		this.closed = true;
		endWatch();
		this.client.connectionPool().evictAll();
		this.watches.connectionPool().evictAll();
	}

	/**
	 * Reads the body of a response.
	 *
	 * @param <T> the type of the result
	 */
	@FunctionalInterface
	interface AnswerReader<T> {

		T read(byte[] body) throws IOException;

	}

	/**
	 * Reads an event of a watch.
	 */
	@FunctionalInterface
	interface EventReader {

		void read(String json) throws IOException;

	}

}
