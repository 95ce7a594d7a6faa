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
import okhttp3.Request;
import okhttp3.Response;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.internal.codec.json.ModelJson;
import dev.kubeinformer.internal.codec.protobuf.ProtobufStatus;
import dev.kubeinformer.internal.failure.ApiStatusException;
import dev.kubeinformer.internal.failure.Failure;
import dev.kubeinformer.internal.http.AnswerBodies;
import dev.kubeinformer.internal.http.ObservedWrite;
import dev.kubeinformer.internal.http.WarningSink;
import dev.kubeinformer.internal.http.Warnings;
import dev.kubeinformer.internal.http.WriteBody;
import dev.kubeinformer.internal.transport.ApiWrites.Target;
import dev.kubeinformer.types.ObjectKey;
import dev.kubeinformer.types.Problem;

/**
 * Sends requests for single objects, over the connections that lists use, and reads their
 * responses.
 */
final class WriteRequests {

	private static final String METADATA = "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json";

	private static final MediaType APPLY = MediaType.get(ApiWrites.APPLY);

	private static final MediaType MERGE = MediaType.get(ApiWrites.MERGE);

	private static final MediaType JSON = MediaType.get(ApiWrites.JSON);

	private final ApiConnections connections;

	private final ModelJson json;

	private final WriteRefusals refusals;

	private final WarningSink warnings;

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
	 * @param calls the requests of the run that sends this one
	 * @return the response
	 * @throws ApiException if the API server rejects the request or does not respond
	 * @throws RuntimeException if the {@link Fence} does not admit the request. Also
	 * thrown if no response arrives, and by then the fence does not admit requests of the
	 * run any more
	 */
	Answer send(Target target, List<Pair> query, String mediaType, byte @Nullable [] body, RunCalls calls)
			throws ApiException {
		ApiConnections.Writes current = this.connections.writes();
		Request.Builder request = request(target, query, mediaType, body, calls);
		ObservedWrite observed = ObservedWrite.begin(calls.observer(), target.type().name() + target.subresource(),
				target.key(), request);
		Call call = current.client().newCall(request.build());
		try {
			calls.begin(call);
			try (Response response = call.execute()) {
				observed.answered(response.code());
				Warnings.report(response, target.type().name(), this.warnings);
				if (!response.isSuccessful()) {
					throw refused(target, response, AnswerBodies.readError(response,
							() -> calls.isCancelled() || Thread.currentThread().isInterrupted()));
				}
				return new Answer(response.code() == HttpURLConnection.HTTP_CREATED,
						AnswerBodies.read(response, this.json.largestObject()));
			}
		}
		catch (IOException ex) {
			observed.failed(ex, calls.isCancelled() || Thread.currentThread().isInterrupted());
			throw unanswered(target, ex, current, calls);
		}
		catch (RuntimeException ex) {
			observed.refused(ex);
			throw ex;
		}
		finally {
			calls.end(call);
			observed.close();
		}
	}

	/**
	 * Reads a discovery document.
	 * @param path the path of the document
	 * @param calls the requests of the run that sends this one
	 * @return the document
	 * @throws IOException if the API server does not respond with a document
	 */
	byte[] document(String path, RunCalls calls) throws IOException {
		Request request = ApiConnections.request(this.connections.apiClient(), "GET", path, List.of(),
				"application/json");
		Call call = this.connections.writes().client().newCall(request.newBuilder().tag(RunCalls.class, calls).build());
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

	private Request.Builder request(Target target, List<Pair> query, String mediaType, byte @Nullable [] body,
			RunCalls calls) throws ApiException {
		// Do not request metadata for a deletion, because its response may not be an
		// object (client-go, metadata.Client).
		boolean list = target.key().name().isEmpty() && target.method().equals("GET");
		boolean partial = target.type().isMetadata() && !list && Set.of("GET", "PATCH").contains(target.method());
		String accept = partial ? METADATA : list ? OkHttpApiConnection.METADATA_LIST : target.accept();
		String path = path(target);
		WriteBody content = (body != null) ? new WriteBody(mediaType(mediaType), body, this.json.largestObject())
				: null;
		try {
			return this.connections.requests()
				.build(target.method(), path, query, accept, content)
				.tag(RunCalls.class, calls);
		}
		catch (ApiException | RuntimeException ex) {
			throw WriteRefusals.unanswered(target, "the client could not build the request", ex);
		}
	}

	private static MediaType mediaType(String name) {
		// Reuse parsed media types, because parsing needs regular expressions.
		return switch (name) {
			case ApiWrites.APPLY -> APPLY;
			case ApiWrites.MERGE -> MERGE;
			case ApiWrites.JSON -> JSON;
			default -> MediaType.get(name);
		};
	}

	private String path(Target target) {
		ObjectKey key = target.key();
		String collection = target.type().path(key.namespace().isEmpty() ? null : segment(key.namespace()));
		return key.name().isEmpty() ? collection : collection + "/" + segment(key.name()) + target.subresource();
	}

	private String segment(String name) {
		if (name.equals(".") || name.equals("..")) {
			throw new IllegalArgumentException("'%s' is not a valid object name".formatted(name));
		}
		return this.connections.requests().escape(name);
	}

	private ApiException refused(Target target, Response response, byte[] answer) {
		if (response.code() == HttpURLConnection.HTTP_UNAUTHORIZED) {
			this.connections.tokenRefresh().renew(response);
		}
		Map<String, Object> status = ProtobufStatus.tree(answer);
		return this.refusals.refused(target, response, (status != null) ? this.json.write(status) : answer);
	}

	private ApiException unanswered(Target target, IOException failure, ApiConnections.Writes used, RunCalls calls) {
		calls.requireAdmitted(target.toString());
		if (calls.isCancelled()) {
			return WriteRefusals.unanswered(target, "the run has timed out or was stopped", failure);
		}
		if (Thread.currentThread().isInterrupted()) {
			return WriteRefusals.unanswered(target, "interrupted", failure);
		}
		Failure classified = Failure.of(failure);
		if (classified.problem() == Problem.SILENT) {
			// The connection may be the cause of the missing response.
			this.connections.leave(used.reads());
		}
		return WriteRefusals.unanswered(target, classified.message(), failure);
	}

	/**
	 * Response to a successful request.
	 *
	 * @param created whether the request has created the object
	 * @param body the body
	 */
	record Answer(boolean created, byte[] body) {

	}

}
