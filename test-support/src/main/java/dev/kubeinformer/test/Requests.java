package dev.kubeinformer.test;

/**
 * Patterns of requests by verb.
 */
public final class Requests {

	private Requests() {
	}

	/**
	 * Matches every request.
	 * @return the pattern
	 */
	public static RequestPattern any() {
		return new RequestPattern("any request", (request) -> true);
	}

	/**
	 * Matches every request for a resource with any verb.
	 * @param plural the plural of the resource, such as "pods"
	 * @return the pattern
	 */
	public static RequestPattern of(String plural) {
		return new RequestPattern("any request for " + plural, (request) -> plural.equals(request.resource()));
	}

	/**
	 * Matches reads of one object.
	 * @param plural the plural of the resource, such as "pods"
	 * @return the pattern
	 */
	public static RequestPattern get(String plural) {
		return verb("get", plural);
	}

	/**
	 * Matches lists; each page is a separate request.
	 * @param plural the plural of the resource, such as "pods"
	 * @return the pattern
	 */
	public static RequestPattern list(String plural) {
		return verb("list", plural);
	}

	/**
	 * Matches watches, including streaming lists.
	 * @param plural the plural of the resource, such as "pods"
	 * @return the pattern
	 */
	public static RequestPattern watch(String plural) {
		return verb("watch", plural);
	}

	/**
	 * Matches creates.
	 * @param plural the plural of the resource, such as "pods"
	 * @return the pattern
	 */
	public static RequestPattern create(String plural) {
		return verb("create", plural);
	}

	/**
	 * Matches updates with PUT.
	 * @param plural the plural of the resource, such as "pods"
	 * @return the pattern
	 */
	public static RequestPattern update(String plural) {
		return verb("update", plural);
	}

	/**
	 * Matches patches.
	 * @param plural the plural of the resource, such as "pods"
	 * @return the pattern
	 */
	public static RequestPattern patch(String plural) {
		return verb("patch", plural);
	}

	/**
	 * Matches deletes of one object.
	 * @param plural the plural of the resource, such as "pods"
	 * @return the pattern
	 */
	public static RequestPattern delete(String plural) {
		return verb("delete", plural);
	}

	private static RequestPattern verb(String verb, String plural) {
		return new RequestPattern(verb + " " + plural,
				(request) -> verb.equals(request.verb()) && plural.equals(request.resource()));
	}

}
