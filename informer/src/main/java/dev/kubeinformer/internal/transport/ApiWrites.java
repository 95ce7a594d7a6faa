package dev.kubeinformer.internal.transport;

import java.io.IOException;
import java.net.HttpURLConnection;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.openapi.Pair;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.internal.codec.MalformedResponseException;
import dev.kubeinformer.internal.codec.json.ModelJson;
import dev.kubeinformer.internal.codec.json.WrittenMetadata;
import dev.kubeinformer.internal.codec.protobuf.ProtobufAnswers;
import dev.kubeinformer.internal.codec.protobuf.ProtobufStatus;
import dev.kubeinformer.internal.failure.Failure;
import dev.kubeinformer.internal.http.WarningSink;
import dev.kubeinformer.internal.transport.WriteRequests.Answer;
import dev.kubeinformer.resource.ResourceType;
import dev.kubeinformer.types.ObjectKey;
import dev.kubeinformer.types.WriteFailedException;

/**
 * Sends the requests of reconcilers for single objects, over the connections of the
 * informers. Each method blocks until the response has arrived or the run is cancelled.
 * The caller provides the body of the request as JSON. Safe for use by several threads.
 */
public final class ApiWrites {

	static final String APPLY = "application/apply-patch+yaml";

	static final String MERGE = "application/merge-patch+json";

	static final String JSON = "application/json";

	private final WriteRequests requests;

	private final ModelJson json;

	private final WarningSink warnings;

	private final ProtobufAnswers answers;

	private final Predicate<ResourceType<?>> protobuf;

	/**
	 * Creates a sender of requests that asks for responses in JSON. Does not connect yet.
	 * @param connections the client's connections
	 * @param json reads and writes JSON
	 * @param warnings receives the warnings of responses
	 */
	public ApiWrites(ApiConnections connections, ModelJson json, WarningSink warnings) {
		this(connections, json, warnings, (type) -> false);
	}

	/**
	 * Creates the sender of requests. Does not connect yet.
	 * @param connections the client's connections
	 * @param json reads and writes JSON
	 * @param warnings receives the warnings of responses
	 * @param protobuf returns whether protobuf is preferred for a resource that supports
	 * it
	 */
	public ApiWrites(ApiConnections connections, ModelJson json, WarningSink warnings,
			Predicate<ResourceType<?>> protobuf) {
		this.answers = new ProtobufAnswers(json.mappers());
		this.protobuf = protobuf;
		this.requests = new WriteRequests(connections, json, warnings);
		this.json = json;
		this.warnings = warnings;
	}

	/**
	 * Returns the receiver of the warnings of responses.
	 * @return the receiver
	 */
	public WarningSink warnings() {
		return this.warnings;
	}

	/**
	 * Creates an object.
	 * @param <C> the model class
	 * @param type the resource
	 * @param namespace the namespace; empty for cluster-scoped objects
	 * @param body the object
	 * @param caller the run that sends the request
	 * @return the object as the API server returned it
	 * @throws ApiException if the API server rejects the request or does not respond
	 */
	public <C extends KubernetesObject> C create(ResourceType<C> type, String namespace, byte[] body, Caller caller)
			throws ApiException {
		Target target = new Target("POST", type, new ObjectKey(namespace, ""), "");
		return send(type, target, JSON, body, caller, new ArrayList<>());
	}

	/**
	 * Applies an object by server-side apply, with force.
	 * @param <C> the model class
	 * @param type the resource
	 * @param key the key of the object
	 * @param body the object, with the fields that the caller manages
	 * @param caller the run that sends the request
	 * @return the object as the API server returned it
	 * @throws ApiException if the API server rejects the request or does not respond
	 */
	public <C extends KubernetesObject> C apply(ResourceType<C> type, ObjectKey key, byte[] body, Caller caller)
			throws ApiException {
		Target target = applied(type, key);
		return read(type, target, applied(target, body, caller).body());
	}

	// An apply can be repeated if its response cannot be read; other writes cannot.
	private Target applied(ResourceType<?> type, ObjectKey key) {
		return new Target("PATCH", type, key, "", this.protobuf.test(type) && this.answers.canRead(type));
	}

	private Answer applied(Target target, byte[] body, Caller caller) throws ApiException {
		return answer(target, APPLY, body, caller, new ArrayList<>(List.of(new Pair("force", "true"))));
	}

	/**
	 * Applies an object like {@link #apply}, and also returns its managed fields.
	 * @param <C> the model class
	 * @param type the resource
	 * @param key the key of the object
	 * @param body the object, with the fields that the caller manages
	 * @param missing whether the object probably does not exist yet
	 * @param caller the run that sends the request
	 * @return the object as the API server returned it
	 * @throws ApiException if the API server rejects the request or does not respond
	 */
	public <C extends KubernetesObject> ManagedObject<C> applyWithManagers(ResourceType<C> type, ObjectKey key,
			byte[] body, boolean missing, Caller caller) throws ApiException {
		Target json = new Target("PATCH", type, key, "");
		Target target = missing ? applied(type, key) : json;
		Answer answer = applied(target, body, caller);
		if (answer.created()) {
			// The caller is the only field manager of a new object.
			return new ManagedObject<>(read(type, target, answer.body()), List.of());
		}
		// Field managers are read from JSON, so after a protobuf response the same apply
		// is sent once more, which changes nothing.
		boolean compact = ProtobufStatus.isProtobuf(answer.body());
		return withManagers(type, json, (compact ? applied(json, body, caller) : answer).body());
	}

	/**
	 * Reads an object like {@link #get}, and also returns its managed fields.
	 * @param <C> the model class
	 * @param type the resource
	 * @param key the key of the object
	 * @param caller the run that sends the request
	 * @return the object; {@code null} if there is none
	 * @throws ApiException if the API server rejects the request or does not respond
	 */
	public <C extends KubernetesObject> @Nullable ManagedObject<C> getWithManagers(ResourceType<C> type, ObjectKey key,
			Caller caller) throws ApiException {
		Target target = new Target("GET", type, key, "");
		byte[] answer = getIfPresent(target, caller);
		return (answer != null) ? withManagers(type, target, answer) : null;
	}

	private <C extends KubernetesObject> ManagedObject<C> withManagers(ResourceType<C> type, Target target,
			byte[] answer) throws ApiException {
		C object = read(type, target, answer);
		try {
			return new ManagedObject<>(object, this.json.readManagedFields(answer));
		}
		catch (MalformedResponseException ex) {
			throw WriteRefusals.unanswered(target, String.valueOf(ex.getMessage()), ex);
		}
	}

	/**
	 * Patches an object.
	 * @param <C> the model class
	 * @param type the resource
	 * @param key the key of the object
	 * @param mediaType the format of the patch
	 * @param patch the patch
	 * @param caller the run that sends the request
	 * @return the object as the API server returned it
	 * @throws ApiException if the API server rejects the request or does not respond
	 */
	public <C extends KubernetesObject> C patch(ResourceType<C> type, ObjectKey key, String mediaType, byte[] patch,
			Caller caller) throws ApiException {
		return send(type, new Target("PATCH", type, key, ""), mediaType, patch, caller, new ArrayList<>());
	}

	/**
	 * Patches the status of an object: sends a merge patch to the subresource
	 * {@code status}.
	 * @param <C> the model class
	 * @param type the resource
	 * @param key the key of the object
	 * @param patch the patch, in the form of the whole object
	 * @param caller the run that sends the request
	 * @return the object as the API server returned it
	 * @throws ApiException if the API server rejects the request or does not respond
	 */
	public <C extends KubernetesObject> C patchStatus(ResourceType<C> type, ObjectKey key, byte[] patch, Caller caller)
			throws ApiException {
		return send(type, new Target("PATCH", type, key, "/status"), MERGE, patch, caller, new ArrayList<>());
	}

	private <C extends KubernetesObject> C send(ResourceType<C> type, Target target, String mediaType, byte[] body,
			Caller caller, List<Pair> query) throws ApiException {
		return read(type, target, answer(target, mediaType, body, caller, query).body());
	}

	private Answer answer(Target target, String mediaType, byte[] body, Caller caller, List<Pair> query)
			throws ApiException {
		query.add(new Pair("fieldManager", caller.fieldManager()));
		try {
			return this.requests.send(target, query, mediaType, body, caller.calls());
		}
		catch (ApiException ex) {
			throw (ex.getCode() == HttpURLConnection.HTTP_NOT_FOUND) ? notFound(ex, target, caller) : ex;
		}
	}

	// The response is the same for a missing object, resource or subresource
	// (customresource_handler.go of k8s.io/apiextensions-apiserver).
	private ApiException notFound(ApiException answer, Target target, Caller caller) {
		try {
			String advice = new ResourceDiscovery(target.type(), null, this.json.mappers(),
					(path) -> this.requests.document(path, caller.calls()))
				.whyNotFound(target.subresource());
			return (advice != null) ? WriteRefusals.notServed(answer, target, advice) : answer;
		}
		catch (IOException | RuntimeException ex) {
			// Discovery did not respond, or the run was cancelled meanwhile.
			return answer;
		}
	}

	/**
	 * Returns whether a write failed because its object does not exist.
	 * @param exception the failure of the write
	 * @param type the resource of the object
	 * @param key the key of the object
	 * @return {@code true} if the API server does not know the object; {@code false} also
	 * if the reason is that it does not serve the resource or subresource
	 */
	public boolean isMissing(ApiException exception, ResourceType<?> type, ObjectKey key) {
		return exception instanceof WriteFailedException failure
				&& WriteRefusals.isMissing(failure.getWrite(), type, key);
	}

	private <C extends KubernetesObject> C read(ResourceType<C> type, Target target, byte[] answer)
			throws ApiException {
		try {
			return ProtobufStatus.isProtobuf(answer)
					? this.answers.read(type, answer, (object) -> this.json.read(type, object))
					: this.json.read(type, answer);
		}
		catch (MalformedResponseException ex) {
			throw WriteRefusals.unanswered(target, String.valueOf(ex.getMessage()), ex);
		}
	}

	/**
	 * Deletes an object if it meets the preconditions. If there is no object with the UID
	 * any more, no exception is thrown.
	 * @param <C> the model class
	 * @param type the resource
	 * @param key the key of the object
	 * @param deletion the preconditions and the propagation policy
	 * @param caller the run that sends the request
	 * @return the outcome
	 * @throws ApiException if the API server rejects the request or does not respond
	 */
	public <C extends KubernetesObject> Deleted<C> delete(ResourceType<C> type, ObjectKey key, Deletion deletion,
			Caller caller) throws ApiException {
		Target target = new Target("DELETE", type, key, "");
		byte[] options = this.json.write(deletion.options());
		try {
			return deleted(type, deletion.uid(),
					this.requests.send(target, new ArrayList<>(), JSON, options, caller.calls()).body());
		}
		catch (ApiException ex) {
			if (ex.getCode() != HttpURLConnection.HTTP_NOT_FOUND && !isGone(ex, type, key, deletion.uid(), caller)) {
				throw ex;
			}
			// The response may come from a proxy, or the version is temporarily not
			// served.
			return new Deleted<>(false, null);
		}
	}

	// The response is an object with a deletionTimestamp if finalizers or a grace period
	// delay the deletion. If the object is gone, the response is a status or an object
	// without that timestamp (k8s.io/apiserver, pkg/endpoints/handlers/delete.go and
	// registry/generic/registry).
	private <C extends KubernetesObject> Deleted<C> deleted(ResourceType<C> type, String uid, byte[] answer) {
		WrittenMetadata metadata = this.json.readMetadata(answer);
		if (metadata == null || !uid.equals(metadata.getMetadata().getUid())) {
			return new Deleted<>(false, null);
		}
		if (metadata.getMetadata().getDeletionTimestamp() == null) {
			return new Deleted<>(true, null);
		}
		try {
			return new Deleted<>(true, this.json.read(type, answer));
		}
		catch (MalformedResponseException ex) {
			return new Deleted<>(false, null);
		}
	}

	private boolean isGone(ApiException refused, ResourceType<?> type, ObjectKey key, String uid, Caller caller)
			throws ApiException {
		// Another object of that name may exist by now, or the rejection has another
		// reason.
		if (refused.getCode() != HttpURLConnection.HTTP_CONFLICT) {
			return false;
		}
		KubernetesObject there = get(type, key, caller);
		return there == null || there.getMetadata() == null || !uid.equals(there.getMetadata().getUid());
	}

	/**
	 * Reads an object from the API server.
	 * @param <C> the model class
	 * @param type the resource
	 * @param key the key of the object
	 * @param caller the run that sends the request
	 * @return the object; {@code null} if there is none
	 * @throws ApiException if the API server rejects the request or does not respond
	 */
	public <C extends KubernetesObject> @Nullable C get(ResourceType<C> type, ObjectKey key, Caller caller)
			throws ApiException {
		Target target = new Target("GET", type, key, "");
		byte[] answer = getIfPresent(target, caller);
		return (answer != null) ? read(type, target, answer) : null;
	}

	private byte @Nullable [] getIfPresent(Target target, Caller caller) throws ApiException {
		try {
			return this.requests.send(target, new ArrayList<>(), JSON, null, caller.calls()).body();
		}
		catch (ApiException ex) {
			if (ex.getCode() == HttpURLConnection.HTTP_NOT_FOUND) {
				return null;
			}
			throw ex;
		}
	}

	/**
	 * Lists the metadata of objects.
	 * @param type the resource
	 * @param namespace the namespace; empty for all, and for cluster-scoped objects
	 * @param labelSelector selects the objects
	 * @param caller the run that sends the request
	 * @return the pages of the list, which are read on demand
	 */
	public MetadataPages list(ResourceType<?> type, String namespace, String labelSelector, Caller caller) {
		Target target = new Target("GET", type, new ObjectKey(namespace, ""), "");
		return new MetadataPages(this.requests, this.json, target, labelSelector, caller.calls());
	}

	/**
	 * Classifies the exception for a request that the API server rejected or did not
	 * respond to. It may come from any client.
	 * @param exception the exception
	 * @return the failure, with its problem and the wait that the server asks for
	 */
	public Failure failure(ApiException exception) {
		return WriteFailures.of(exception, this.json);
	}

	/**
	 * Run of a reconciler that sends requests.
	 *
	 * @param fieldManager the field manager of its writes
	 * @param calls the requests of the run
	 */
	public record Caller(String fieldManager, RunCalls calls) {

	}

	/**
	 * Object with its managed fields.
	 *
	 * @param <C> the model class
	 * @param object the object as the API server returned it
	 * @param managedFields the entries of {@code metadata.managedFields}; empty if none
	 * of them is an update
	 */
	public record ManagedObject<C extends KubernetesObject>(C object, List<?> managedFields) {

	}

	/**
	 * Outcome of a deletion.
	 *
	 * @param <C> the model class
	 * @param known whether the API server has confirmed the outcome
	 * @param rest the object, if finalizers or a grace period delay its deletion;
	 * {@code null} if it is gone or the outcome is unknown
	 */
	public record Deleted<C>(boolean known, @Nullable C rest) {

	}

	/**
	 * Preconditions and propagation policy of a deletion.
	 *
	 * @param uid the UID that the object must have
	 * @param resourceVersion the version that the object must have; {@code null} for any
	 * @param propagationPolicy whether the objects that the deleted object owns are
	 * deleted, too. The policy is always sent, because the default of the API server
	 * depends on the type: jobs and replication controllers orphan their pods
	 * (kubernetes/kubernetes, pkg/registry/batch/job/strategy.go,
	 * DefaultGarbageCollectionPolicy)
	 */
	public record Deletion(String uid, @Nullable String resourceVersion, String propagationPolicy) {

		private Map<String, @Nullable Object> options() {
			Map<String, @Nullable Object> preconditions = new LinkedHashMap<>();
			preconditions.put("uid", this.uid);
			if (this.resourceVersion != null) {
				preconditions.put("resourceVersion", this.resourceVersion);
			}
			Map<String, @Nullable Object> options = new LinkedHashMap<>();
			options.put("apiVersion", "v1");
			options.put("kind", "DeleteOptions");
			options.put("preconditions", preconditions);
			options.put("propagationPolicy", this.propagationPolicy);
			return options;
		}

	}

	/**
	 * Request for an object.
	 *
	 * @param method the HTTP method
	 * @param type the resource
	 * @param key the object; the name is empty for the collection
	 * @param subresource the subresource, with a slash before it, or empty
	 * @param protobuf whether the response may be protobuf
	 */
	record Target(String method, ResourceType<?> type, ObjectKey key, String subresource, boolean protobuf) {

		/**
		 * Accepted media types: protobuf or, from servers and proxies that do not support
		 * it, JSON.
		 */
		private static final String PREFER_PROTOBUF = "application/vnd.kubernetes.protobuf,application/json";

		Target(String method, ResourceType<?> type, ObjectKey key, String subresource) {
			this(method, type, key, subresource, false);
		}

		String accept() {
			return this.protobuf ? PREFER_PROTOBUF : JSON;
		}

		@Override
		public String toString() {
			String object = this.key.name().isEmpty() ? this.key.namespace() : this.key.toString();
			String named = object.isEmpty() ? "" : " '%s'".formatted(object);
			return "%s %s%s%s".formatted(this.method, this.type.name(), this.subresource, named);
		}

	}

}
