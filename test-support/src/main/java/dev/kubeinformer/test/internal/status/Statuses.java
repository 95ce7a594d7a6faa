package dev.kubeinformer.test.internal.status;

import java.util.Map;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

import dev.kubeinformer.test.internal.json.Json;
import dev.kubeinformer.test.internal.resource.ApiPath;
import dev.kubeinformer.test.internal.resource.GroupResource;

/**
 * Creates failures with Status objects like those of kube-apiserver. Messages that
 * clients evaluate are literally the same.
 */
public final class Statuses {

	private static final Map<Integer, String> REASONS = Map.ofEntries(Map.entry(400, "BadRequest"),
			Map.entry(401, "Unauthorized"), Map.entry(403, "Forbidden"), Map.entry(404, "NotFound"),
			Map.entry(405, "MethodNotAllowed"), Map.entry(406, "NotAcceptable"), Map.entry(409, "Conflict"),
			Map.entry(410, "Expired"), Map.entry(413, "RequestEntityTooLarge"), Map.entry(415, "UnsupportedMediaType"),
			Map.entry(422, "Invalid"), Map.entry(429, "TooManyRequests"), Map.entry(500, "InternalError"),
			Map.entry(503, "ServiceUnavailable"), Map.entry(504, "Timeout"));

	private Statuses() {
	}

	public static RequestFailure of(int code, String message) {
		return new RequestFailure(failure(code, REASONS.getOrDefault(code, ""), message));
	}

	public static RequestFailure badRequest(String message) {
		return of(400, message);
	}

	public static RequestFailure unknownPath() {
		return undetailed(404, "the server could not find the requested resource");
	}

	public static RequestFailure notAcceptable(String message) {
		return undetailed(406, message);
	}

	public static RequestFailure notConvertible(String message) {
		return of(406, message);
	}

	public static RequestFailure rejectedPatch() {
		return undetailed(422, "the server rejected our request due to an error in our request");
	}

	public static RequestFailure unsupportedPatch() {
		return undetailed(415, "415: Unsupported Media Type");
	}

	// Returns the failure for a body with more bytes than kube-apiserver reads.
	public static RequestFailure bodyTooLarge(int limit) {
		return of(413, "Request entity too large: limit is " + limit);
	}

	// Returns a failure that kube-apiserver treats as unexpected, so its Status has no
	// reason.
	public static RequestFailure unexpected(String message) {
		return new RequestFailure(failure(500, "", message));
	}

	public static RequestFailure notFound(GroupResource resource, String name) {
		return about(resource, name, failure(404, "NotFound", resource + " \"" + name + "\" not found"));
	}

	public static RequestFailure alreadyExists(GroupResource resource, String name) {
		return about(resource, name, failure(409, "AlreadyExists", resource + " \"" + name + "\" already exists"));
	}

	public static RequestFailure modified(GroupResource resource, String name) {
		return conflict(resource, name,
				"the object has been modified; please apply your changes to the latest version and try again");
	}

	public static RequestFailure conflict(GroupResource resource, String name, String why) {
		return about(resource, name,
				failure(409, "Conflict", "Operation cannot be fulfilled on " + resource + " \"" + name + "\": " + why));
	}

	public static RequestFailure tooLargeResourceVersion(long asked, long current) {
		ObjectNode status = failure(504, "Timeout",
				"Timeout: Too large resource version: " + asked + ", current: " + current);
		ObjectNode details = status.putObject("details");
		details.putArray("causes")
			.addObject()
			.put("reason", "ResourceVersionTooLarge")
			.put("message", "Too large resource version");
		details.put("retryAfterSeconds", 1);
		return code(status, 504);
	}

	// Returns the failure for a watch from a compacted revision.
	public static RequestFailure tooOldResourceVersion(long asked, long oldest) {
		return of(410, "too old resource version: " + asked + " (" + oldest + ")");
	}

	public static RequestFailure expiredList() {
		return of(410, "The resourceVersion for the provided list is too old.");
	}

	/**
	 * Returns the response to a continue token of a compacted revision.
	 * @param inconsistent the token with which a client can continue the list at the
	 * current state
	 * @return the exception
	 */
	public static RequestFailure expiredContinue(String inconsistent) {
		ObjectNode status = failure(410, "Expired",
				"The provided continue parameter is too old to display a consistent list result. "
						+ "You can start a new list without the continue parameter, or use the continue token in "
						+ "this response to retrieve the remainder of the results. Continuing with the provided "
						+ "token results in an inconsistent list - objects that were created, modified, or deleted "
						+ "between the time the first chunk was returned and now may show up in the list.");
		status.withObject("metadata").put("continue", inconsistent);
		return new RequestFailure(status);
	}

	public static RequestFailure methodNotAllowed(String what) {
		return undetailed(405, "the server does not allow this method on the requested resource" + what);
	}

	public static RequestFailure forbidden(String verb, GroupResource resource, @Nullable String namespace) {
		ApiPath path = new ApiPath(resource.group(), "", namespace, resource.plural(), null, null);
		return forbidden("system:anonymous", verb, path, namespace);
	}

	// Returns the rejection of a request because its user lacks the permission.
	public static RequestFailure forbidden(String user, String verb, ApiPath path, @Nullable String namespace) {
		GroupResource resource = new GroupResource(path.group(), path.resource());
		String what = (path.name() != null) ? resource + " \"" + path.name() + "\"" : resource.toString();
		String plural = (path.subresource() != null) ? path.resource() + "/" + path.subresource() : path.resource();
		String where = (namespace != null) ? "in the namespace \"" + namespace + "\"" : "at the cluster scope";
		ObjectNode status = failure(403, "Forbidden", what + " is forbidden: User \"" + user + "\" cannot " + verb
				+ " resource \"" + plural + "\" in API group \"" + path.group() + "\" " + where);
		ObjectNode details = status.putObject("details");
		if (path.name() != null) {
			details.put("name", path.name());
		}
		if (!path.group().isEmpty()) {
			details.put("group", path.group());
		}
		details.put("kind", path.resource());
		return code(status, 403);
	}

	public static RequestFailure forbiddenPath(String user, String verb, String path) {
		return undetailed(403, "forbidden: User \"" + user + "\" cannot " + verb + " path \"" + path + "\"");
	}

	// Adds the time that the client should wait before a retry.
	public static RequestFailure retryAfter(RequestFailure exception, long seconds) {
		ObjectNode status = exception.status().deepCopy();
		status.withObject("details").put("retryAfterSeconds", seconds);
		return new RequestFailure(status);
	}

	public static ObjectNode deleted(GroupResource resource, String name, String uid) {
		ObjectNode status = Json.object();
		status.put("kind", "Status").put("apiVersion", "v1").putObject("metadata");
		status.put("status", "Success");
		details(status, resource, name).put("uid", uid);
		return status;
	}

	private static RequestFailure undetailed(int code, String message) {
		ObjectNode status = failure(code, REASONS.getOrDefault(code, ""), message);
		status.putObject("details");
		return code(status, code);
	}

	private static RequestFailure about(GroupResource resource, String name, ObjectNode status) {
		int code = status.path("code").asInt();
		details(status, resource, name);
		return code(status, code);
	}

	private static ObjectNode details(ObjectNode status, GroupResource resource, String name) {
		ObjectNode details = status.putObject("details");
		details.put("name", name);
		if (!resource.group().isEmpty()) {
			details.put("group", resource.group());
		}
		return details.put("kind", resource.plural());
	}

	private static ObjectNode failure(int code, String reason, String message) {
		ObjectNode status = Json.object();
		status.put("kind", "Status").put("apiVersion", "v1").putObject("metadata");
		status.put("status", "Failure").put("message", message);
		if (!reason.isEmpty()) {
			status.put("reason", reason);
		}
		return status.put("code", code);
	}

	private static RequestFailure code(ObjectNode status, int code) {
		status.remove("code");
		return new RequestFailure(status.put("code", code));
	}

}
