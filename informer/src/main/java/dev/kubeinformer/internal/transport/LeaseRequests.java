package dev.kubeinformer.internal.transport;

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
import dev.kubeinformer.internal.codec.json.LeaseDocument;
import dev.kubeinformer.internal.election.LeaseRecord;
import dev.kubeinformer.internal.failure.ApiStatusException;
import dev.kubeinformer.internal.http.AnswerBodies;
import dev.kubeinformer.internal.http.Redirects;
import dev.kubeinformer.internal.http.TokenRefresh;
import dev.kubeinformer.internal.http.Warnings;

/**
 * Requests for one Lease, over dedicated connections, so that other requests of the
 * application's API client cannot delay them. Safe for use by several threads.
 */
public final class LeaseRequests implements Closeable {

	private static final String JSON = "application/json";

	/** Longest Lease, and longest watch event, which is one line with one Lease. */
	private static final int LONGEST_LEASE = 2 * 1024 * 1024;

	private static final Duration KEEP_ALIVE = Duration.ofSeconds(60);

	/** Longest silence of a watch: longer than the time between two renewals. */
	private static final Duration SILENCE = Duration.ofSeconds(60);

	private static final Duration PING = Duration.ofSeconds(5);

	private final ApiClient apiClient;

	private final TokenRefresh tokenRefresh = new TokenRefresh(System::nanoTime, "leader-credentials");

	private final JsonMappers mappers = new JsonMappers(false);

	private final String collection;

	private final String namespace;

	private final String name;

	private final Duration timeout;

	private final ExecutorService threads;

	private final Consumer<String> warnings;

	private final OkHttpClient watches;

	private volatile OkHttpClient client;

	private volatile @Nullable Call watch;

	private volatile boolean closed;

	/**
	 * Creates the requests, without connecting yet.
	 * @param apiClient the client of the application
	 * @param namespace the namespace of the Lease
	 * @param name the name of the Lease
	 * @param timeout the longest duration of a request other than a watch
	 * @param threads runs the requests; the caller waits no longer than the timeout for
	 * each
	 * @param warnings receives the warnings of responses, escaped and shortened
	 */
	public LeaseRequests(ApiClient apiClient, String namespace, String name, Duration timeout, ExecutorService threads,
			Consumer<String> warnings) {
		this.warnings = warnings;
		this.apiClient = apiClient;
		this.namespace = namespace;
		this.name = name;
		this.timeout = timeout;
		this.threads = threads;
		this.collection = "/apis/coordination.k8s.io/v1/namespaces/" + apiClient.escapeString(namespace) + "/leases";
		OkHttpClient.Builder builder = this.tokenRefresh.share(apiClient.getHttpClient()).newBuilder();
		builder.interceptors().removeIf(OwnWriteInterceptor.class::isInstance);
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
	 * Reads the Lease.
	 * @return the Lease
	 * @throws ApiStatusException if the API server rejects the request
	 * @throws IOException if there is no reliable response
	 */
	public LeaseDocument get() throws IOException {
		return send("GET", this.collection + "/" + segment(), null);
	}

	/**
	 * Creates the Lease.
	 * @param record the election record
	 * @return the stored Lease
	 * @throws ApiStatusException if the API server rejects the request
	 * @throws IOException if there is no reliable response
	 */
	public LeaseDocument create(LeaseRecord record) throws IOException {
		return send("POST", this.collection, LeaseDocument.of(this.namespace, this.name).with(record));
	}

	/**
	 * Updates the Lease if it has not changed since it was read.
	 * @param lease the Lease as it was read
	 * @param record the election record
	 * @return the stored Lease
	 * @throws ApiStatusException if the API server rejects the request
	 * @throws IOException if there is no reliable response
	 */
	public LeaseDocument update(LeaseDocument lease, LeaseRecord record) throws IOException {
		return send("PUT", this.collection + "/" + segment(), lease.with(record));
	}

	private String segment() {
		return this.apiClient.escapeString(this.name);
	}

	private LeaseDocument send(String method, String path, @Nullable LeaseDocument body) throws IOException {
		OkHttpClient used = this.client;
		Request request = ApiConnections.request(this.apiClient, method, path, List.of(), JSON);
		if (body != null) {
			request = request.newBuilder()
				.header("Content-Type", JSON)
				.method(method, RequestBody.create(body.write(), MediaType.get(JSON)))
				.build();
		}
		try {
			if (this.closed) {
				throw new IOException("Canceled: the elector was stopped");
			}
			return answer(used.newCall(request));
		}
		catch (InterruptedIOException ex) {
			// The connection may be the cause.
			this.client = connected(used);
			used.connectionPool().evictAll();
			if ("timeout".equals(ex.getMessage())) {
				// This is the client's own call timeout, which has the same duration.
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
	 * @param call the request
	 * @return the Lease
	 * @throws IOException if there is no response in time
	 */
	private LeaseDocument answer(Call call) throws IOException {
		CompletableFuture<LeaseDocument> answer = new CompletableFuture<>();
		call.enqueue(new Callback() {

			@Override
			public void onResponse(Call answered, Response response) {
				try (response) {
					answer.complete(read(response));
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

	private LeaseDocument read(Response response) throws IOException {
		warn(response);
		if (!response.isSuccessful()) {
			throw refused(response);
		}
		return LeaseDocument.read(AnswerBodies.read(response, LONGEST_LEASE));
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
	 * Watches the Lease. Returns when the API server ends the watch.
	 * @param limit the longest duration of the watch
	 * @param events receives the initial Lease and each change of it; {@code null} when
	 * it is deleted
	 * @throws ApiStatusException if the API server rejects the request
	 * @throws IOException if the watch fails
	 */
	public void watch(Duration limit, Consumer<@Nullable LeaseDocument> events) throws IOException {
		List<Pair> query = new ArrayList<>();
		query.add(new Pair("watch", "true"));
		query.add(new Pair("fieldSelector", "metadata.name=" + this.name));
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
				events.accept(LeaseDocument.readEvent(lines.readUtf8LineStrict(LONGEST_LEASE)));
			}
		}
		finally {
			this.watch = null;
		}
	}

	/** Ends the watch and rejects further requests. */
	@Override
	public void close() {
		this.closed = true;
		Call open = this.watch;
		if (open != null) {
			open.cancel();
		}
		this.client.connectionPool().evictAll();
		this.watches.connectionPool().evictAll();
	}

}
