package dev.kubeinformer.test;

import java.util.function.Predicate;

/**
 * Pattern of requests, for injecting faults and for searching the request log. Immutable; each method returns a narrower pattern.
 *
 * @see Requests
 */
public final class RequestPattern implements Predicate<RecordedRequest> {

	private final String description;

	private final Predicate<RecordedRequest> predicate;

	RequestPattern(String description, Predicate<RecordedRequest> predicate) {
		this.description = description;
		this.predicate = predicate;
	}

	/**
	 * Narrows to a namespace.
	 * @param namespace the namespace in the path
	 * @return the narrower pattern
	 */
	public RequestPattern inNamespace(String namespace) {
		return and(" in namespace \"" + namespace + "\"", (request) -> namespace.equals(request.namespace()));
	}

	/**
	 * Narrows to an object.
	 * @param name the name in the path
	 * @return the narrower pattern
	 */
	public RequestPattern named(String name) {
		return and(" named \"" + name + "\"", (request) -> name.equals(request.name()));
	}

	/**
	 * Narrows to a query parameter.
	 * @param name its name
	 * @param value its value
	 * @return the narrower pattern
	 */
	public RequestPattern withParameter(String name, String value) {
		return and(" with " + name + "=" + value, (request) -> value.equals(request.parameter(name)));
	}

	/**
	 * Narrows to requests without a query parameter.
	 * @param name its name
	 * @return the narrower pattern
	 */
	public RequestPattern withoutParameter(String name) {
		return and(" without " + name, (request) -> request.parameter(name) == null);
	}

	private RequestPattern and(String more, Predicate<RecordedRequest> narrower) {
		return new RequestPattern(this.description + more, this.predicate.and(narrower));
	}

	@Override
	public boolean test(RecordedRequest request) {
		return this.predicate.test(request);
	}

	@Override
	public String toString() {
		return this.description;
	}

}
