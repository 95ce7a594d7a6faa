package dev.kubeinformer.test;

import java.util.Map;

/**
 * Verbs by which access rules name requests.
 */
final class Verbs {

	static final String LIST = "list";

	static final String WATCH = "watch";

	private Verbs() {
	}

	/**
	 * Returns the verb of a request.
	 * @param method the HTTP method
	 * @param path the decoded path
	 * @param query the query parameters
	 * @return the verb, such as "deletecollection"
	 */
	static String of(String method, String path, Map<String, String> query) {
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
