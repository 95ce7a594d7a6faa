package dev.kubeinformer.test.internal.request;

import java.time.Instant;
import java.util.Map;

/**
 * Request without its body.
 *
 * @param protocol the protocol: "HTTP/1.1" or "HTTP/2.0"
 * @param method the HTTP method
 * @param path the decoded path
 * @param query the decoded query parameters; a repeated parameter has its first value
 * @param headers the headers; their names are not case-sensitive
 * @param status the status code of the response, 0 while there is none
 * @param at the time at which the request arrived
 */
public record ApiRequest(String protocol, String method, String path, Map<String, String> query,
		Map<String, String> headers, int status, Instant at) {

	// The verb by which access rules name this request.
	public String verb() {
		return Verbs.of(this.method, this.path, this.query);
	}

	public boolean isWatch() {
		return Verbs.WATCH.equals(verb());
	}

	// The first header of a name, empty if there is none.
	public String header(String name) {
		return this.headers.getOrDefault(name, "");
	}

	public ApiRequest withStatus(int answered) {
		return new ApiRequest(this.protocol, this.method, this.path, this.query, this.headers, answered, this.at);
	}

}
