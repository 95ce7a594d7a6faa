package dev.kubeinformer.internal.transport;

import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;

import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.openapi.Pair;
import okhttp3.Interceptor;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.internal.http.ClientRequests;
import dev.kubeinformer.internal.http.DailyNotes;
import dev.kubeinformer.internal.http.InFlightLimit;
import dev.kubeinformer.internal.http.OwnConnections;
import dev.kubeinformer.internal.http.TimeoutThreadDamper;
import dev.kubeinformer.internal.http.TokenRefresh;

/**
 * Connections of an {@link ApiClient}. All informers of the client share them. The client
 * itself is not changed; deadlines are set on copies of it. Safe for use by several
 * threads.
 */
public final class ApiConnections {

	private static final String[] AUTHENTICATIONS = { "BearerToken" };

	/**
	 * Maximum number of requests that open a stream at the same time. Every known server
	 * allows more streams on one connection.
	 */
	private static final int OPENINGS = 16;

	private final ApiClient apiClient;

	private final Deadlines deadlines;

	private final TokenRefresh tokenRefresh;

	private final TimeoutThreadDamper watchdog = new TimeoutThreadDamper();

	private final InFlightLimit openings;

	private final DailyNotes notes;

	private final ClientRequests requests;

	private final LongSupplier nanoTime;

	private final OwnConnections.Limits limits;

	/** Network interceptors of the application. Every request must pass them. */
	private final List<Interceptor> foreign;

	private volatile HttpClients clients;

	private volatile @Nullable Writes writes;

	/**
	 * Creates the connections, without connecting yet.
	 * @param apiClient the client
	 * @param deadlines the longest waits for bytes
	 * @param nanoTime the monotonic clock
	 */
	public ApiConnections(ApiClient apiClient, Deadlines deadlines, LongSupplier nanoTime) {
		this(apiClient, deadlines, nanoTime, "informer-credentials");
	}

	/**
	 * Creates the connections with a name for their threads, without connecting yet.
	 * @param apiClient the client
	 * @param deadlines the longest waits for bytes
	 * @param nanoTime the monotonic clock
	 * @param credentialsThread the name of threads that fetch credentials
	 */
	public ApiConnections(ApiClient apiClient, Deadlines deadlines, LongSupplier nanoTime, String credentialsThread) {
		this(apiClient, deadlines, nanoTime, credentialsThread, OwnConnections.Limits.USUAL);
	}

	/**
	 * Creates the connections with limits on the connections that only writes use,
	 * without connecting yet.
	 * @param apiClient the client
	 * @param deadlines the longest waits for bytes
	 * @param nanoTime the monotonic clock
	 * @param credentialsThread the name of threads that fetch credentials
	 * @param limits the limits on the connections that only writes use
	 */
	public ApiConnections(ApiClient apiClient, Deadlines deadlines, LongSupplier nanoTime, String credentialsThread,
			OwnConnections.Limits limits) {
		this.nanoTime = nanoTime;
		this.limits = limits;
		this.apiClient = apiClient;
		this.requests = new ClientRequests(apiClient);
		this.tokenRefresh = new TokenRefresh(nanoTime, credentialsThread);
		this.deadlines = deadlines;
		this.notes = new DailyNotes(nanoTime);
		this.openings = new InFlightLimit(OPENINGS, deadlines.connecting(), deadlines.opening(), nanoTime);
		OkHttpClient client = unrecorded(apiClient.getHttpClient());
		// The interceptor of the official client only affects requests with a callback.
		this.foreign = client.networkInterceptors()
			.stream()
			.filter((each) -> !each.getClass().getName().startsWith(ApiClient.class.getName() + "$"))
			.toList();
		this.clients = HttpClients.of(this.tokenRefresh.share(client), deadlines);
	}

	/**
	 * Returns a client whose writes do not count as writes of the application, so a
	 * {@link WriteRecorder} does not record them.
	 * @param client the client of the application
	 * @return the client
	 */
	public static OkHttpClient unrecorded(OkHttpClient client) {
		// The engine records its own writes itself.
		OkHttpClient.Builder builder = client.newBuilder();
		builder.interceptors().removeIf(OwnWriteInterceptor.class::isInstance);
		builder.networkInterceptors().removeIf(FenceInterceptor.class::isInstance);
		return builder.build();
	}

	ApiClient apiClient() {
		return this.apiClient;
	}

	/**
	 * Builds a request with the credentials of a client. The request has no body, because
	 * the official client would convert a body to a string. Only authentications that
	 * sign the body need that, and the client has none.
	 * @param apiClient the client
	 * @param method the HTTP method
	 * @param path the path
	 * @param query the query
	 * @param accept the accepted media types
	 * @return the request
	 * @throws IOException if the client cannot build the request
	 */
	public static Request request(ApiClient apiClient, String method, String path, List<Pair> query, String accept)
			throws IOException {
		try {
			return apiClient.buildRequest(null, path, method, query, List.of(), null,
					new HashMap<>(Map.of("Accept", accept)), new HashMap<>(), new HashMap<>(), AUTHENTICATIONS, null);
		}
		catch (ApiException | RuntimeException ex) {
			throw new IOException("the client could not build the request", ex);
		}
	}

	ClientRequests requests() {
		return this.requests;
	}

	TokenRefresh tokenRefresh() {
		return this.tokenRefresh;
	}

	Deadlines deadlines() {
		return this.deadlines;
	}

	/**
	 * Returns the notes about the API server, each of which is logged at most once a day.
	 * @return the notes
	 */
	public DailyNotes notes() {
		return this.notes;
	}

	InFlightLimit openings() {
		return this.openings;
	}

	TimeoutThreadDamper watchdog() {
		return this.watchdog;
	}

	/**
	 * Returns the clients for the next request.
	 * @return the clients
	 */
	public HttpClients clients() {
		return this.clients;
	}

	/**
	 * Returns the client for the next write.
	 * @return the client
	 */
	Writes writes() {
		Writes known = this.writes;
		return (known != null && known.reads() == this.clients) ? known : renewWrites();
	}

	private synchronized Writes renewWrites() {
		HttpClients reads = this.clients;
		Writes former = this.writes;
		if (former != null && former.reads() == reads) {
			return former;
		}
		OkHttpClient.Builder builder = reads.list().newBuilder().callTimeout(this.deadlines.opening());
		// A write must not wait for the connects of informers.
		reads.turns().neverWait(builder);
		OwnConnections own = OwnConnections.of(reads.list(), this.foreign::contains, this.limits, this.nanoTime);
		if (own != null) {
			builder.addInterceptor(new OwnConnectionInterceptor(own, this.deadlines, builder.build(), this.requests));
		}
		Writes next = new Writes(reads, builder.addNetworkInterceptor(new FenceInterceptor()).build(), own);
		this.writes = next;
		if (former != null && former.own() != null) {
			former.own().close();
		}
		return next;
	}

	/** Closes the connections that only writes use. The next write opens new ones. */
	public synchronized void closeWrites() {
		Writes former = this.writes;
		this.writes = null;
		if (former != null && former.own() != null) {
			former.own().close();
		}
	}

	/**
	 * Sends further requests over a new connection. Called for a stream that was silent
	 * for too long. The HTTP/2 connection of the stream may be the cause of the silence,
	 * and would otherwise carry further requests. Other streams on that connection are
	 * not affected.
	 * @param silent the clients of the request that was silent
	 */
	public synchronized void leave(HttpClients silent) {
		// If many requests were silent, the first one has switched the connection for all
		// of them.
		if (this.clients == silent) {
			this.clients = silent.onOtherConnections();
		}
	}

	/**
	 * Returns the reaction to a watch that is silent for too long. The HTTP/2 connection
	 * of the watch may still receive frames that no watch sees. So it is closed as soon
	 * as no request uses it, and not kept for later requests.
	 * @param silent the clients of the watch
	 * @return the reaction
	 */
	WatchStream.Silence silence(HttpClients silent) {
		return new WatchStream.Silence() {

			@Override
			public void noticed() {
				leave(silent);
			}

			@Override
			public void over() {
				silent.watch().connectionPool().evictAll();
			}

		};
	}

	/**
	 * HTTP client for writes.
	 *
	 * @param reads the clients of lists and watches, whose connections the writes share
	 * @param client the client
	 * @param own the connections that only writes use; {@code null} if there are none
	 */
	record Writes(HttpClients reads, OkHttpClient client, @Nullable OwnConnections own) {

	}

	/**
	 * Longest waits for bytes.
	 *
	 * @param listIdle the longest wait for the next byte of a list
	 * @param watchIdle the longest wait for the next byte of a watch
	 * @param watchOverrun the time by which a watch may exceed the requested duration
	 * @param opening the longest wait for the headers of a response, including connecting
	 * @param ping the interval of HTTP/2 pings; a connection is given up when a ping gets
	 * no response before the next one
	 * @param connecting the longest time for which a request waits while another request
	 * connects, before it opens a second connection itself. Also the longest wait for a
	 * response to begin, before one more request is sent
	 */
	public record Deadlines(Duration listIdle, Duration watchIdle, Duration watchOverrun, Duration opening,
			Duration ping, Duration connecting) {

		/**
		 * Longest wait for the headers of a response: more than the minute that an API
		 * server takes for a request, plus the time for connecting.
		 */
		private static final Duration OPENING = Duration.ofSeconds(75);

		private static final Duration PING = Duration.ofSeconds(15);

		/**
		 * Longest wait for another request to connect. It is much longer than a handshake
		 * on a healthy network.
		 */
		private static final Duration CONNECTING = Duration.ofSeconds(2);

		/**
		 * Creates the deadlines, with the default for {@code connecting}.
		 * @param listIdle the longest wait for the next byte of a list
		 * @param watchIdle the longest wait for the next byte of a watch
		 * @param watchOverrun the time by which a watch may exceed the requested duration
		 * @param opening the longest wait for the headers of a response, including
		 * connecting
		 * @param ping the interval of HTTP/2 pings
		 */
		public Deadlines(Duration listIdle, Duration watchIdle, Duration watchOverrun, Duration opening,
				Duration ping) {
			this(listIdle, watchIdle, watchOverrun, opening, ping, CONNECTING);
		}

		/**
		 * Creates the deadlines, with the defaults for {@code opening}, {@code ping} and
		 * {@code connecting}.
		 * @param listIdle the longest wait for the next byte of a list
		 * @param watchIdle the longest wait for the next byte of a watch
		 * @param watchOverrun the time by which a watch may exceed the requested duration
		 */
		public Deadlines(Duration listIdle, Duration watchIdle, Duration watchOverrun) {
			this(listIdle, watchIdle, watchOverrun, OPENING, PING);
		}

	}

}
