package dev.kubeinformer.test;

import java.time.Instant;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.test.internal.request.ApiRequest;
import dev.kubeinformer.test.internal.request.Verbs;
import dev.kubeinformer.test.internal.resource.ApiPath;

/**
 * Request that a server was sent.
 *
 * @param protocol the protocol that carried it: "HTTP/1.1" or "HTTP/2.0"
 * @param method the HTTP method
 * @param path the decoded path
 * @param query the decoded query parameters, of repeated ones the first
 * @param headers the headers; their names are found in any case
 * @param status the status code of the answer; 0 if it was cut without one, or as long as
 * a fault decides about it or freezes it
 * @param at when it arrived
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
	 * @return whether it is a GET of a collection with the parameter "watch"
	 */
	public boolean isWatch() {
		return Verbs.WATCH.equals(verb());
	}

	/**
	 * Returns whether this is a list.
	 * @return whether it is a GET of a collection and not a watch
	 */
	public boolean isList() {
		return Verbs.LIST.equals(verb());
	}

	/**
	 * Returns the plural of the resource.
	 * @return the plural, or {@code null} if the path is not that of a resource
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

	// The verb by which access rules name this request.
	String verb() {
		return Verbs.of(this.method, this.path, this.query);
	}

	// The request in one line, for messages.
	String line() {
		StringBuilder line = new StringBuilder(this.method).append(' ').append(this.path);
		this.query.forEach((name,
				value) -> line.append((line.indexOf("?") < 0) ? '?' : '&').append(name).append('=').append(value));
		return line.append(" -> ").append((this.status != 0) ? this.status : "no answer").toString();
	}

}
