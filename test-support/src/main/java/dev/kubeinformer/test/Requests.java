package dev.kubeinformer.test;

/**
 * Patterns of requests by verb.
 */
public final class Requests {

	private Requests() {
	}

	/**
	 * Every request.
	 * @return the pattern
	 */
	public static RequestPattern any() {
		return new RequestPattern("any request", (request) -> true);
	}

	/**
	 * Every request for a resource, whatever the verb.
	 * @param plural the plural of the resource, such as "pods"
	 * @return the pattern
	 */
	public static RequestPattern of(String plural) {
		return new RequestPattern("any request for " + plural, (request) -> plural.equals(request.resource()));
	}

	/**
	 * Reads of one object.
	 * @param plural the plural of the resource, such as "pods"
	 * @return the pattern
	 */
	public static RequestPattern get(String plural) {
		return verb("get", plural);
	}

	/**
	 * Lists, of which every page is one.
	 * @param plural the plural of the resource, such as "pods"
	 * @return the pattern
	 */
	public static RequestPattern list(String plural) {
		return verb("list", plural);
	}

	/**
	 * Watches, streaming lists among them.
	 * @param plural the plural of the resource, such as "pods"
	 * @return the pattern
	 */
	public static RequestPattern watch(String plural) {
		return verb("watch", plural);
	}

	/**
	 * Creates.
	 * @param plural the plural of the resource, such as "pods"
	 * @return the pattern
	 */
	public static RequestPattern create(String plural) {
		return verb("create", plural);
	}

	/**
	 * Updates by PUT.
	 * @param plural the plural of the resource, such as "pods"
	 * @return the pattern
	 */
	public static RequestPattern update(String plural) {
		return verb("update", plural);
	}

	/**
	 * Patches.
	 * @param plural the plural of the resource, such as "pods"
	 * @return the pattern
	 */
	public static RequestPattern patch(String plural) {
		return verb("patch", plural);
	}

	/**
	 * Deletes of one object.
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
