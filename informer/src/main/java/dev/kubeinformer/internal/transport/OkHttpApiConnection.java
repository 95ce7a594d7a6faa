package dev.kubeinformer.internal.transport;

import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.Pair;
import okhttp3.Call;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.Response;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.internal.codec.ApiStatus;
import dev.kubeinformer.internal.codec.ListHeader;
import dev.kubeinformer.internal.codec.ListItems;
import dev.kubeinformer.internal.codec.ResourceCodec;
import dev.kubeinformer.internal.codec.ShardFilter;
import dev.kubeinformer.internal.codec.json.JsonMappers;
import dev.kubeinformer.internal.codec.protobuf.ProtobufStatus;
import dev.kubeinformer.internal.failure.ApiStatusException;
import dev.kubeinformer.internal.http.AnswerBodies;
import dev.kubeinformer.internal.http.HeaderDeadline;
import dev.kubeinformer.internal.http.InFlightLimit;
import dev.kubeinformer.internal.http.Redirects;
import dev.kubeinformer.internal.http.Warnings;
import dev.kubeinformer.resource.ResourceType;
import dev.kubeinformer.types.WireEncoding;

/**
 * Sends the requests of a reflector with the HTTP client of the application's
 * {@code ApiClient}, with its authentication, TLS settings, proxies and connections.
 *
 * @param <T> the model class
 */
public final class OkHttpApiConnection<T extends KubernetesObject> implements ApiConnection<T> {

	private static final String JSON = "application/json";

	static final String METADATA_LIST = "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json";

	/**
	 * Longest discovery document; the document of the core group is a tenth of this size.
	 */
	static final int LONGEST_DISCOVERY = 1024 * 1024;

	private static final String ONE_OBJECT = "metadata.name=";

	private final ApiConnections connections;

	private final String path;

	private final Selection selection;

	private final JsonMappers mappers;

	private final Codecs<T> codecs;

	private final Negotiation negotiation;

	private final Consumer<String> warnings;

	private volatile @Nullable HeaderDeadline current;

	private volatile InFlightLimit.@Nullable Permit awaited;

	private volatile @Nullable Haste haste;

	private volatile boolean closed;

	/**
	 * Creates a connection without a receiver of warnings, and without connecting yet.
	 * @param connections the client's connections
	 * @param type the resource
	 * @param selection the selected objects
	 * @param mappers the JSON mappers for error responses
	 * @param codecs the codecs of the resource
	 * @param negotiation chooses the encoding of responses
	 */
	public OkHttpApiConnection(ApiConnections connections, ResourceType<T> type, Selection selection,
			JsonMappers mappers, Codecs<T> codecs, Negotiation negotiation) {
		this(connections, type, selection, mappers, codecs, negotiation, (warning) -> {
		});
	}

	/**
	 * Creates a connection, without connecting yet.
	 * @param connections the client's connections
	 * @param type the resource
	 * @param selection the selected objects
	 * @param mappers the JSON mappers for error responses
	 * @param codecs the codecs of the resource
	 * @param negotiation chooses the encoding of responses
	 * @param warnings receives the warnings of responses, escaped and shortened
	 */
	public OkHttpApiConnection(ApiConnections connections, ResourceType<T> type, Selection selection,
			JsonMappers mappers, Codecs<T> codecs, Negotiation negotiation, Consumer<String> warnings) {
		this.warnings = warnings;
		this.connections = connections;
		this.path = type.path(selection.namespace());
		this.selection = selection;
		this.mappers = mappers;
		this.codecs = codecs;
		this.negotiation = negotiation;
		codecs.observeMetadata(negotiation::answered);
		codecs.observeMissingModels(negotiation::undecodable);
	}

	@Override
	public ListHeader list(ListRequest request, ListItems<T> items) throws IOException {
		ShardFilter shard = this.selection.shard();
		List<Pair> query = query(shard);
		if (request.continueToken().isEmpty()) {
			add(query, "resourceVersion", request.resourceVersion());
		}
		else {
			add(query, "continue", request.continueToken());
		}
		if (request.limit() > 0) {
			query.add(new Pair("limit", Integer.toString(request.limit())));
			if (!request.resourceVersion().isEmpty() && !request.resourceVersion().equals("0")) {
				// Without this parameter, a limit would request exactly that version.
				query.add(new Pair("resourceVersionMatch", "NotOlderThan"));
			}
		}
		return read((clients, permit) -> negotiated(new Sender(clients, clients.list(), permit), query, false),
				(response, body) -> {
					ResourceCodec<T> codec = codec(response);
					this.negotiation.answered(encoding(codec));
					return codec.readList(body, (shard != null) ? new ShardedItems<>(shard, items) : items);
				});
	}

	@Override
	public String probe() throws IOException {
		// Leave selectors out: the version is the same, and a selector that matches
		// little would make the server examine every object. The name of a single object
		// is kept: it is looked up directly, and the account may have the permission to
		// list only this object.
		List<Pair> query = new ArrayList<>(List.of(new Pair("limit", "1")));
		String fields = this.selection.fieldSelector();
		if (fields != null && fields.startsWith(ONE_OBJECT) && fields.indexOf(',') < 0) {
			query.add(new Pair("fieldSelector", fields));
		}
		return read((clients, permit) -> versionAlone(new Sender(clients, clients.list(), permit), query),
				(response, body) -> codec(response).readListVersion(body));
	}

	private Response versionAlone(Sender sender, List<Pair> query) throws IOException {
		Response response = send(sender, this.path, query, METADATA_LIST, false);
		if (isRefused(response)) {
			response.close();
			response = send(sender, this.path, query, JSON, false);
		}
		return accepted(response);
	}

	/**
	 * Reads a discovery document.
	 * @param document the path of the document
	 * @return the document in JSON
	 * @throws ApiStatusException if the server responds with an error
	 * @throws IOException if there is no complete response
	 */
	public byte[] discover(String document) throws IOException {
		return read(
				(clients, permit) -> accepted(
						send(new Sender(clients, clients.list(), permit), document, List.of(), JSON, false)),
				(response, body) -> AnswerBodies.read(response, LONGEST_DISCOVERY));
	}

	private static boolean isRefused(Response response) {
		return response.code() == HttpURLConnection.HTTP_NOT_ACCEPTABLE
				|| response.code() == HttpURLConnection.HTTP_UNSUPPORTED_TYPE;
	}

	private <R> R read(Exchange exchange, BodyReader<R> reader) throws IOException {
		Answer answer = open(exchange);
		try (Response response = answer.response(); InputStream body = response.body().byteStream()) {
			return reader.read(response, body);
		}
		catch (InterruptedIOException ex) {
			this.connections.leave(answer.clients());
			throw ex;
		}
		finally {
			this.current = null;
		}
	}

	/**
	 * Waits until the request may be sent, and then for the headers of the response.
	 * @param exchange the request
	 * @return the response, whose body has not been read
	 * @throws IOException if there is no response
	 */
	private Answer open(Exchange exchange) throws IOException {
		Haste hurried = this.haste;
		if (hurried != null && hurried.fresh()) {
			// Open a new connection only once: discovery may need several requests.
			this.haste = new Haste(hurried.connecting(), hurried.answer(), false);
			this.connections.leave(this.connections.clients());
		}
		try (InFlightLimit.Permit permit = this.connections.openings().permit()) {
			this.awaited = permit;
			if (this.closed) {
				permit.cancel();
			}
			permit.connectsWithin((hurried != null) ? hurried.connecting() : null);
			permit.acquire();
			// Read the clients only now, because the clients of a previous request may
			// have been replaced.
			HttpClients clients = this.connections.clients();
			try {
				return new Answer(clients, exchange.perform(clients, permit));
			}
			catch (InterruptedIOException ex) {
				// A request that was never connected has no connection to leave.
				if (permit.isConnected()) {
					this.connections.leave(clients);
				}
				throw ex;
			}
		}
		finally {
			this.awaited = null;
		}
	}

	@Override
	public WatchStream<T> watch(WatchRequest request) throws IOException {
		ShardFilter shard = this.selection.shard();
		List<Pair> query = query(shard);
		query.add(new Pair("watch", "true"));
		query.add(new Pair("allowWatchBookmarks", "true"));
		query.add(new Pair("timeoutSeconds", Integer.toString(request.timeoutSeconds())));
		add(query, "resourceVersion", request.resourceVersion());
		if (request.initialEvents()) {
			query.add(new Pair("sendInitialEvents", "true"));
			query.add(new Pair("resourceVersionMatch", "NotOlderThan"));
		}
		Answer answer = open((clients, permit) -> negotiated(
				new Sender(clients, request.patient() ? clients.patient() : clients.watch(), permit), query, true));
		Response response = answer.response();
		ResourceCodec<T> codec = codec(response);
		this.negotiation.answered(encoding(codec));
		return new WatchStream<>(response, new WatchStream.Reading<>(codec, shard), encoding(codec), limits(request),
				this.connections.silence(answer.clients()), this.connections.watchdog());
	}

	private WatchStream.Limits limits(WatchRequest request) {
		// A server that does not end the watch in time may be dead. The server's own
		// timeout starts when it begins to respond, which may be long after the request.
		Duration limit = Duration.ofSeconds(request.timeoutSeconds()).plus(this.connections.deadlines().watchOverrun());
		return new WatchStream.Limits(System.nanoTime() + limit.toNanos(), this.mappers.largestObject());
	}

	private List<Pair> query(@Nullable ShardFilter shard) {
		List<Pair> query = new ArrayList<>();
		add(query, "labelSelector", this.selection.labelSelector());
		add(query, "fieldSelector", this.selection.fieldSelector());
		add(query, "shardSelector", (shard != null) ? shard.selector() : null);
		return query;
	}

	private static void add(List<Pair> query, String name, @Nullable String value) {
		if (value != null && !value.isEmpty()) {
			query.add(new Pair(name, value));
		}
	}

	private ResourceCodec<T> codec(Response response) {
		// A server or a proxy may respond in JSON, whatever was requested.
		ResourceCodec<T> protobuf = this.codecs.protobuf();
		return (protobuf != null && Negotiation.isProtobuf(response.header("Content-Type"))) ? protobuf
				: this.codecs.json();
	}

	private WireEncoding encoding(ResourceCodec<T> codec) {
		return (codec == this.codecs.protobuf()) ? WireEncoding.PROTOBUF : WireEncoding.JSON;
	}

	private Response negotiated(Sender sender, List<Pair> query, boolean watch) throws IOException {
		String accept = this.negotiation.accept(watch);
		Response response = send(sender, this.path, query, accept, watch);
		if (isRefused(response) && this.negotiation.refused(accept, response.code())) {
			response.close();
			response = send(sender, this.path, query, this.negotiation.accept(watch), watch);
		}
		return accepted(response);
	}

	private Response send(Sender sender, String target, List<Pair> query, String accept, boolean watch)
			throws IOException {
		Request.Builder request = ApiConnections.request(this.connections.apiClient(), "GET", target, query, accept)
			.newBuilder()
			.tag(InFlightLimit.Permit.class, sender.permit());
		if (watch) {
			// Events are small, and a compressing server would hold them back until it
			// has a full block.
			request.header("Accept-Encoding", "identity");
		}
		Call call = sender.client().newCall(request.build());
		HeaderDeadline opening = new HeaderDeadline(call, sender.clients().turns(), limit());
		this.current = opening;
		if (this.closed) {
			opening.abandon();
		}
		Response response = opening.await();
		Warnings.report(response, "", (resource, text) -> this.warnings.accept(text));
		return response;
	}

	private Duration limit() {
		Haste hurried = this.haste;
		Duration answer = (hurried != null) ? hurried.answer() : null;
		Duration usual = this.connections.deadlines().opening();
		return (answer != null && answer.compareTo(usual) < 0) ? answer : usual;
	}

	private Response accepted(Response response) throws IOException {
		if (response.isSuccessful()) {
			return response;
		}
		if (response.code() == HttpURLConnection.HTTP_UNAUTHORIZED) {
			this.connections.tokenRefresh().renew(response);
		}
		try (response) {
			throw new ApiStatusException(readStatus(response));
		}
	}

	private ApiStatus readStatus(Response response) throws IOException {
		ApiStatus redirect = Redirects.status(response);
		if (redirect != null) {
			return redirect;
		}
		byte[] bytes = AnswerBodies.readError(response, () -> this.closed);
		ApiStatus status = ProtobufStatus.isProtobuf(bytes) ? ProtobufStatus.read(bytes, response.code())
				: this.mappers.readStatus(response.code(), bytes);
		Integer retryAfter = retryAfter(response.header("Retry-After"));
		return (retryAfter != null)
				? new ApiStatus(status.code(), status.reason(), status.message(), status.causes(), retryAfter) : status;
	}

	private static @Nullable Integer retryAfter(@Nullable String header) {
		return (header != null && header.matches("\\d{1,6}")) ? Integer.valueOf(header) : null;
	}

	@Override
	public void hasten(@Nullable Haste next) {
		this.haste = next;
	}

	@Override
	public void recall() {
		InFlightLimit.Permit permit = this.awaited;
		if (permit != null) {
			permit.cancel();
			HeaderDeadline opening = this.current;
			if (opening != null) {
				opening.abandon();
			}
		}
	}

	@Override
	public void endWatch() {
		HeaderDeadline opening = this.current;
		if (opening != null) {
			opening.abandon();
		}
	}

	@Override
	public void avoidProtobuf() {
		this.negotiation.avoidProtobuf();
	}

	@Override
	public void forgetParts() {
		this.codecs.forgetParts();
	}

	@Override
	public void close() {
		this.closed = true;
		InFlightLimit.Permit permit = this.awaited;
		if (permit != null) {
			permit.cancel();
		}
		HeaderDeadline opening = this.current;
		if (opening != null) {
			opening.abandon();
		}
	}

	/**
	 * Means of sending a request.
	 *
	 * @param clients the clients for all kinds of requests
	 * @param client the client for this request
	 * @param permit the permit to wait for a response, of which there is a limited number
	 */
	private record Sender(HttpClients clients, OkHttpClient client, InFlightLimit.Permit permit) {

	}

	/**
	 * Response whose headers have arrived.
	 *
	 * @param clients the clients that sent the request
	 * @param response the response
	 */
	private record Answer(HttpClients clients, Response response) {

	}

	/**
	 * Reads the body of a response.
	 *
	 * @param <R> the result
	 */
	@FunctionalInterface
	private interface BodyReader<R> {

		R read(Response response, InputStream body) throws IOException;

	}

	/**
	 * Sends a request and waits for its response.
	 */
	@FunctionalInterface
	private interface Exchange {

		Response perform(HttpClients clients, InFlightLimit.Permit permit) throws IOException;

	}

}
