package dev.kubeinformer.test.internal.request;

import java.util.Map;

import dev.kubeinformer.test.internal.resource.ApiPath;

/**
 * Verbs by which access rules name requests.
 */
public final class Verbs {

	/**
	 * Verb of lists.
	 */
	public static final String LIST = "list";

	/**
	 * Verb of watches.
	 */
	public static final String WATCH = "watch";

	private Verbs() {
	}

	/**
	 * Returns the verb of a request.
	 * @param method the HTTP method
	 * @param path the decoded path
	 * @param query the query parameters
	 * @return the verb, such as "deletecollection"
	 */
	public static String of(String method, String path, Map<String, String> query) {
		return switch (method) {
			case "POST" -> "create";
			case "PUT" -> "update";
			case "PATCH" -> "patch";
			case "DELETE" -> (isObject(path)) ? "delete" : "deletecollection";
			case "GET" -> (isCollection(path)) ? (Query.isSet(query.get(WATCH))) ? WATCH : LIST : "get";
			default -> "get";
		};
	}

	private static boolean isObject(String path) {
		ApiPath parsed = ApiPath.parse(path);
		return parsed != null && parsed.name() != null;
	}

	private static boolean isCollection(String path) {
		ApiPath parsed = ApiPath.parse(path);
		return parsed != null && parsed.name() == null;
	}

}
