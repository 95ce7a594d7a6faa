package dev.kubeinformer.test;

import java.time.Instant;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.test.internal.request.ApiRequest;
import dev.kubeinformer.test.internal.request.Verbs;
import dev.kubeinformer.test.internal.resource.ApiPath;

/**
 * Request received by a server.
 *
 * @param protocol the protocol: "HTTP/1.1" or "HTTP/2.0"
 * @param method the HTTP method
 * @param path the decoded path
 * @param query the decoded query parameters; a repeated parameter has its first value
 * @param headers the headers; their names are not case-sensitive
 * @param status the status code of the response; 0 if the connection was closed without a
 * response, or while a fault delays or holds the response
 * @param at the time at which the request arrived
 */
public record RecordedRequest(String protocol, String method, String path, Map<String, String> query,
		Map<String, String> headers, int status, Instant at) {

	static RecordedRequest of(ApiRequest request) {
		return new RecordedRequest(request.protocol(), request.method(), request.path(), request.query(),
				request.headers(), request.status(), request.at());
	}

	static List<RecordedRequest> of(List<ApiRequest> requests) {
		return requests.stream().map(RecordedRequest::of).toList();
	}

	/**
	 * Returns whether this is a watch.
	 * @return {@code true} for a GET of a collection with the parameter "watch"
	 */
	public boolean isWatch() {
		return Verbs.WATCH.equals(verb());
	}

	/**
	 * Returns whether this is a list.
	 * @return {@code true} for a GET of a collection that is not a watch
	 */
	public boolean isList() {
		return Verbs.LIST.equals(verb());
	}

	/**
	 * Returns the plural of the resource.
	 * @return the plural, or {@code null} if the path does not name a resource
	 */
	public @Nullable String resource() {
		ApiPath parsed = ApiPath.parse(this.path);
		return (parsed != null) ? parsed.resource() : null;
	}

	/**
	 * Returns the namespace.
	 * @return the namespace, or {@code null} if the path has none
	 */
	public @Nullable String namespace() {
		ApiPath parsed = ApiPath.parse(this.path);
		return (parsed != null) ? parsed.namespace() : null;
	}

	/**
	 * Returns the name of the object.
	 * @return the name, or {@code null} if the path has none
	 */
	public @Nullable String name() {
		ApiPath parsed = ApiPath.parse(this.path);
		return (parsed != null) ? parsed.name() : null;
	}

	/**
	 * Returns a query parameter.
	 * @param name its name
	 * @return its value, or {@code null} if it was not sent
	 */
	public @Nullable String parameter(String name) {
		return this.query.get(name);
	}

	/**
	 * Returns a header.
	 * @param name its name in any case
	 * @return its value, or {@code null} if it was not sent
	 */
	public @Nullable String header(String name) {
		return this.headers.get(name);
	}

	// Verb of this request in access rules.
	String verb() {
		return Verbs.of(this.method, this.path, this.query);
	}

	// Request in one line, for messages.
	String line() {
		StringBuilder line = new StringBuilder(this.method).append(' ').append(this.path);
		this.query.forEach((name,
				value) -> line.append((line.indexOf("?") < 0) ? '?' : '&').append(name).append('=').append(value));
		return line.append(" -> ").append((this.status != 0) ? this.status : "no response").toString();
	}

}
