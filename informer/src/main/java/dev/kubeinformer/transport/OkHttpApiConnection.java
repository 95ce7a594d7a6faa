package dev.kubeinformer.transport;

import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.openapi.Pair;
import okhttp3.Call;
import okhttp3.OkHttpClient;
import okhttp3.Response;
import okio.Buffer;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.codec.ApiStatus;
import dev.kubeinformer.codec.DecodedObject;
import dev.kubeinformer.codec.JsonCodec;
import dev.kubeinformer.codec.JsonMappers;
import dev.kubeinformer.codec.ListHeader;
import dev.kubeinformer.resource.ResourceType;

/**
 * Requests on the HTTP client of an {@link ApiClient}: with its authentication, TLS and
 * proxies, over its connections. The client itself is not changed; deadlines go on copies
 * that share its connection pool.
 *
 * @param <T> the model class
 */
public final class OkHttpApiConnection<T extends KubernetesObject> implements ApiConnection<T> {

	private static final String[] AUTHENTICATIONS = { "BearerToken" };

	private static final String JSON = "application/json";

	private static final String METADATA_LIST = "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json";

	private static final Duration PING = Duration.ofSeconds(30);

	private static final int PATIENCE = 10;

	private static final int OVERRUN_SECONDS = 5;

	private static final int LONGEST_ERROR_BODY = 64 * 1024;

	private final ApiClient apiClient;

	private final TokenRefresh tokenRefresh;

	private final OkHttpClient listClient;

	private final OkHttpClient watchClient;

	private final OkHttpClient patientClient;

	private final String path;

	private final Selection selection;

	private final JsonMappers mappers;

	private final JsonCodec<T> codec;

	private volatile @Nullable Call current;

	private volatile boolean closed;

	/**
	 * Creates a connection. Nothing is connected yet.
	 * @param apiClient the client
	 * @param tokenRefresh what renews the token of that client
	 * @param type the resource
	 * @param selection the objects of it
	 * @param mappers the mappers
	 * @param deadlines how long to wait for bytes
	 */
	public OkHttpApiConnection(ApiClient apiClient, TokenRefresh tokenRefresh, ResourceType<T> type,
			Selection selection, JsonMappers mappers, Deadlines deadlines) {
		this.apiClient = apiClient;
		this.tokenRefresh = tokenRefresh;
		this.listClient = derive(apiClient, deadlines.listIdle());
		this.watchClient = derive(apiClient, deadlines.watchIdle());
		this.patientClient = derive(apiClient, deadlines.watchIdle().multipliedBy(PATIENCE));
		this.path = type.path(selection.namespace());
		this.selection = selection;
		this.mappers = mappers;
		this.codec = new JsonCodec<>(type, mappers);
	}

	private static OkHttpClient derive(ApiClient apiClient, Duration idle) {
		OkHttpClient client = apiClient.getHttpClient();
		// A server that hangs answers no ping either, and is noticed before the stream
		// is.
		boolean pings = client.pingIntervalMillis() > 0 && client.pingIntervalMillis() <= PING.toMillis();
		return client.newBuilder()
			.readTimeout(idle)
			.callTimeout(Duration.ZERO)
			.pingInterval(pings ? Duration.ofMillis(client.pingIntervalMillis()) : PING)
			.build();
	}

	@Override
	public ListHeader list(ListRequest request, Consumer<DecodedObject<T>> items) throws IOException {
		List<Pair> query = query();
		if (request.continueToken().isEmpty()) {
			add(query, "resourceVersion", request.resourceVersion());
		}
		else {
			add(query, "continue", request.continueToken());
		}
		if (request.limit() > 0) {
			query.add(new Pair("limit", Integer.toString(request.limit())));
			if (!request.resourceVersion().isEmpty() && !request.resourceVersion().equals("0")) {
				// Without it, a limit would ask for exactly that version.
				query.add(new Pair("resourceVersionMatch", "NotOlderThan"));
			}
		}
		try (Response response = execute(this.listClient, query, JSON, Duration.ZERO);
				InputStream body = response.body().byteStream()) {
			return this.codec.readList(body, items);
		}
		finally {
			this.current = null;
		}
	}

	@Override
	public String probe() throws IOException {
		List<Pair> query = query();
		query.add(new Pair("limit", "1"));
		try (Response response = execute(this.listClient, query, METADATA_LIST, Duration.ZERO);
				InputStream body = response.body().byteStream()) {
			return this.codec.readListVersion(body);
		}
		finally {
			this.current = null;
		}
	}

	@Override
	public WatchStream<T> watch(WatchRequest request) throws IOException {
		List<Pair> query = query();
		query.add(new Pair("watch", "true"));
		query.add(new Pair("allowWatchBookmarks", "true"));
		query.add(new Pair("timeoutSeconds", Integer.toString(request.timeoutSeconds())));
		add(query, "resourceVersion", request.resourceVersion());
		if (request.initialEvents()) {
			query.add(new Pair("sendInitialEvents", "true"));
			query.add(new Pair("resourceVersionMatch", "NotOlderThan"));
		}
		// A server that does not end the watch in time is not trusted to be alive.
		Duration overrun = Duration.ofSeconds(request.timeoutSeconds() + OVERRUN_SECONDS);
		return new WatchStream<>(
				execute(request.patient() ? this.patientClient : this.watchClient, query, JSON, overrun), this.codec);
	}

	private List<Pair> query() {
		List<Pair> query = new ArrayList<>();
		add(query, "labelSelector", this.selection.labelSelector());
		add(query, "fieldSelector", this.selection.fieldSelector());
		return query;
	}

	private static void add(List<Pair> query, String name, @Nullable String value) {
		if (value != null && !value.isEmpty()) {
			query.add(new Pair(name, value));
		}
	}

	private Response execute(OkHttpClient client, List<Pair> query, String accept, Duration limit) throws IOException {
		Map<String, String> headers = new HashMap<>();
		headers.put("Accept", accept);
		Call call;
		try {
			call = client.newCall(this.apiClient.buildRequest(null, this.path, "GET", query, List.of(), null, headers,
					new HashMap<>(), new HashMap<>(), AUTHENTICATIONS, null));
		}
		catch (ApiException | RuntimeException ex) {
			throw new IOException("the client could not build the request", ex);
		}
		call.timeout().timeout(limit.toNanos(), TimeUnit.NANOSECONDS);
		this.current = call;
		if (this.closed) {
			call.cancel();
		}
		Response response = response(call);
		if (response.isSuccessful()) {
			return response;
		}
		if (response.code() == HttpURLConnection.HTTP_UNAUTHORIZED) {
			this.tokenRefresh.renew();
		}
		try (response) {
			throw new ApiStatusException(readStatus(response));
		}
	}

	private static Response response(Call call) throws IOException {
		try {
			return call.execute();
		}
		catch (RuntimeException ex) {
			// An interceptor of the client may fail so, as on a missing token file.
			throw new IOException("the client failed with " + ex.getClass().getName(), ex);
		}
	}

	private ApiStatus readStatus(Response response) throws IOException {
		Buffer body = new Buffer();
		while (body.size() < LONGEST_ERROR_BODY && response.body().source().read(body, LONGEST_ERROR_BODY) >= 0) {
			// reading on
		}
		ApiStatus status = this.mappers.readStatus(response.code(), body.readByteArray());
		Integer retryAfter = retryAfter(response.header("Retry-After"));
		return (retryAfter != null)
				? new ApiStatus(status.code(), status.reason(), status.message(), status.causes(), retryAfter) : status;
	}

	private static @Nullable Integer retryAfter(@Nullable String header) {
		return (header != null && header.matches("\\d{1,6}")) ? Integer.valueOf(header) : null;
	}

	@Override
	public void close() {
		this.closed = true;
		Call call = this.current;
		if (call != null) {
			call.cancel();
		}
	}

	/**
	 * How long to wait for the next byte.
	 *
	 * @param listIdle while a list is read
	 * @param watchIdle while a watch is open
	 */
	public record Deadlines(Duration listIdle, Duration watchIdle) {

	}

}
