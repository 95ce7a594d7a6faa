package dev.kubeinformer.internal.transport;

import java.io.IOException;
import java.net.HttpURLConnection;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.openapi.Pair;
import okhttp3.Call;
import okhttp3.MediaType;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.RequestBody;
import okhttp3.Response;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.internal.codec.json.ModelJson;
import dev.kubeinformer.internal.codec.protobuf.ProtobufStatus;
import dev.kubeinformer.internal.failure.ApiStatusException;
import dev.kubeinformer.internal.failure.Failure;
import dev.kubeinformer.internal.http.AnswerBodies;
import dev.kubeinformer.internal.http.WarningSink;
import dev.kubeinformer.internal.http.Warnings;
import dev.kubeinformer.internal.transport.ApiWrites.Target;
import dev.kubeinformer.types.ObjectKey;
import dev.kubeinformer.types.Problem;

/**
 * Sends requests for single objects, over the connections of lists, and reads their
 * answers.
 */
final class WriteRequests {

	private static final String METADATA = "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json";

	private final ApiConnections connections;

	private final ModelJson json;

	private final WriteRefusals refusals;

	private final WarningSink warnings;

	private volatile @Nullable Clients clients;

	WriteRequests(ApiConnections connections, ModelJson json, WarningSink warnings) {
		this.connections = connections;
		this.json = json;
		this.refusals = new WriteRefusals(json);
		this.warnings = warnings;
	}

	/**
	 * Sends a request.
	 * @param target the object
	 * @param query the query
	 * @param mediaType the media type of the body
	 * @param body the body; {@code null} for none
	 * @param calls the requests of the run that asks
	 * @return the body of the answer
	 * @throws ApiException if the API server refuses it or does not answer
	 * @throws RuntimeException if the fence of the run refuses it, or does when no answer
	 * has come
	 */
	byte[] send(Target target, List<Pair> query, String mediaType, byte @Nullable [] body, RunCalls calls)
			throws ApiException {
		Clients current = clients();
		Request request = request(target, query, mediaType, body).newBuilder().tag(RunCalls.class, calls).build();
		Call call = current.writes().newCall(request);
		try {
			calls.begin(call);
			try (Response response = call.execute()) {
				Warnings.report(response, target.type().name(), this.warnings);
				if (!response.isSuccessful()) {
					throw refused(target, response, AnswerBodies.readError(response,
							() -> calls.isCancelled() || Thread.currentThread().isInterrupted()));
				}
				return AnswerBodies.read(response, this.json.largestObject());
			}
		}
		catch (IOException ex) {
			throw unanswered(target, ex, current, calls);
		}
		finally {
			calls.end(call);
		}
	}

	/**
	 * Reads a document of discovery.
	 * @param path its path
	 * @param calls the requests of the run that asks
	 * @return the document
	 * @throws IOException if the API server does not answer with one
	 */
	byte[] document(String path, RunCalls calls) throws IOException {
		Request request = ApiConnections.request(this.connections.apiClient(), "GET", path, List.of(),
				"application/json");
		Call call = clients().writes().newCall(request.newBuilder().tag(RunCalls.class, calls).build());
		try {
			calls.begin(call);
			try (Response response = call.execute()) {
				if (!response.isSuccessful()) {
					throw new ApiStatusException(this.json.readStatus(response.code(),
							AnswerBodies.readError(response, calls::isCancelled)));
				}
				return AnswerBodies.read(response, OkHttpApiConnection.LONGEST_DISCOVERY);
			}
		}
		finally {
			calls.end(call);
		}
	}

	private Clients clients() {
		HttpClients reads = this.connections.clients();
		Clients known = this.clients;
		if (known == null || known.reads() != reads) {
			OkHttpClient.Builder writes = reads.list()
				.newBuilder()
				.callTimeout(this.connections.deadlines().opening())
				.addNetworkInterceptor(new FenceInterceptor());
			// A write waits for no informer.
			reads.turns().neverWait(writes);
			known = new Clients(reads, writes.build());
			this.clients = known;
		}
		return known;
	}

	private Request request(Target target, List<Pair> query, String mediaType, byte @Nullable [] body)
			throws ApiException {
		// Not of a deletion, whose answer may be no object (client-go, metadata.Client).
		boolean list = target.key().name().isEmpty() && target.method().equals("GET");
		boolean partial = target.type().isMetadata() && !list && Set.of("GET", "PATCH").contains(target.method());
		String accept = partial ? METADATA : list ? OkHttpApiConnection.METADATA_LIST : target.accept();
		String path = path(target);
		Request request;
		try {
			request = ApiConnections.request(this.connections.apiClient(), target.method(), path, query, accept);
		}
		catch (IOException ex) {
			throw WriteRefusals.unanswered(target, String.valueOf(ex.getMessage()), ex.getCause());
		}
		return (body != null) ? request.newBuilder()
			.header("Content-Type", mediaType)
			.method(target.method(), RequestBody.create(body, MediaType.get(mediaType)))
			.build() : request;
	}

	private String path(Target target) {
		ObjectKey key = target.key();
		String collection = target.type().path(key.namespace().isEmpty() ? null : segment(key.namespace()));
		return key.name().isEmpty() ? collection : collection + "/" + segment(key.name()) + target.subresource();
	}

	private String segment(String name) {
		if (name.equals(".") || name.equals("..")) {
			throw new IllegalArgumentException("'%s' is no name of an object".formatted(name));
		}
		return this.connections.apiClient().escapeString(name);
	}

	private ApiException refused(Target target, Response response, byte[] answer) {
		if (response.code() == HttpURLConnection.HTTP_UNAUTHORIZED) {
			this.connections.tokenRefresh().renew(response);
		}
		Map<String, Object> status = ProtobufStatus.tree(answer);
		return this.refusals.refused(target, response, (status != null) ? this.json.write(status) : answer);
	}

	private ApiException unanswered(Target target, IOException failure, Clients used, RunCalls calls) {
		calls.requireAdmitted(target.toString());
		if (calls.isCancelled()) {
			return WriteRefusals.unanswered(target, "the run that asks has timed out or was stopped", failure);
		}
		if (Thread.currentThread().isInterrupted()) {
			return WriteRefusals.unanswered(target, "interrupted", failure);
		}
		Failure classified = Failure.of(failure);
		if (classified.problem() == Problem.SILENT) {
			// The connection may be the cause.
			this.connections.leave(used.reads());
		}
		return WriteRefusals.unanswered(target, classified.message(), failure);
	}

	/**
	 * Clients of the same connections.
	 *
	 * @param reads those of lists and watches
	 * @param writes that of writes
	 */
	private record Clients(HttpClients reads, OkHttpClient writes) {

	}

}
