package dev.kubeinformer.transport;

import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

import io.kubernetes.client.common.KubernetesObject;
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
 * Requests on the HTTP client of an application's API client: with its authentication,
 * TLS and proxies, over its connections.
 *
 * @param <T> the model class
 */
public final class OkHttpApiConnection<T extends KubernetesObject> implements ApiConnection<T> {

	private static final String[] AUTHENTICATIONS = { "BearerToken" };

	private static final String JSON = "application/json";

	private static final String METADATA_LIST = "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json";

	private static final int LONGEST_ERROR_BODY = 64 * 1024;

	private final ApiConnections connections;

	private final String path;

	private final Selection selection;

	private final JsonMappers mappers;

	private final JsonCodec<T> codec;

	private volatile @Nullable Call current;

	private volatile boolean closed;

	/**
	 * Creates a connection. Nothing is connected yet.
	 * @param connections the client's connections
	 * @param type the resource
	 * @param selection the objects of it
	 * @param mappers the mappers
	 */
	public OkHttpApiConnection(ApiConnections connections, ResourceType<T> type, Selection selection,
			JsonMappers mappers) {
		this.connections = connections;
		this.path = type.path(selection.namespace());
		this.selection = selection;
		this.mappers = mappers;
		this.codec = new JsonCodec<>(type, mappers);
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
		return read(query, JSON, (body) -> this.codec.readList(body, items));
	}

	@Override
	public String probe() throws IOException {
		List<Pair> query = query();
		query.add(new Pair("limit", "1"));
		return read(query, METADATA_LIST, this.codec::readListVersion);
	}

	private <R> R read(List<Pair> query, String accept, BodyReader<R> reader) throws IOException {
		HttpClients clients = this.connections.clients();
		try (Response response = execute(clients.list(), query, accept, Duration.ZERO);
				InputStream body = response.body().byteStream()) {
			return reader.read(body);
		}
		catch (InterruptedIOException ex) {
			this.connections.leave(clients);
			throw ex;
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
		Duration limit = Duration.ofSeconds(request.timeoutSeconds()).plus(this.connections.deadlines().watchOverrun());
		HttpClients clients = this.connections.clients();
		OkHttpClient client = request.patient() ? clients.patient() : clients.watch();
		try {
			return new WatchStream<>(execute(client, query, JSON, limit), this.codec,
					() -> this.connections.leave(clients));
		}
		catch (InterruptedIOException ex) {
			this.connections.leave(clients);
			throw ex;
		}
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
			call = client.newCall(this.connections.apiClient()
				.buildRequest(null, this.path, "GET", query, List.of(), null, headers, new HashMap<>(), new HashMap<>(),
						AUTHENTICATIONS, null));
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
			this.connections.tokenRefresh().renew();
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
	 * Reads the body of an answer.
	 *
	 * @param <R> the result
	 */
	@FunctionalInterface
	private interface BodyReader<R> {

		R read(InputStream body) throws IOException;

	}

}
