package dev.kubeinformer.test.internal.resource;

import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * Path of a request for resources.
 *
 * @param group the API group, empty for the core group
 * @param version the version
 * @param namespace the namespace, or {@code null} if the path has none
 * @param resource the plural of the resource
 * @param name the name of the object, or {@code null} for the collection
 * @param subresource the subresource, or {@code null}
 */
public record ApiPath(String group, String version, @Nullable String namespace, String resource, @Nullable String name,
		@Nullable String subresource) {

	private static final List<String> NAMESPACE_SUBRESOURCES = List.of("status", "finalize");

	/**
	 * Parses a path.
	 * @param path the path
	 * @return the parts, or {@code null} if the path does not name a resource
	 */
	public static @Nullable ApiPath parse(String path) {
		List<String> segments = List.of(path.split("/"));
		if (segments.size() > 3 && "api".equals(segments.get(1))) {
			return parse("", segments.get(2), segments.subList(3, segments.size()));
		}
		if (segments.size() > 4 && "apis".equals(segments.get(1))) {
			return parse(segments.get(2), segments.get(3), segments.subList(4, segments.size()));
		}
		return null;
	}

	private static @Nullable ApiPath parse(String group, String version, List<String> rest) {
		boolean inNamespace = rest.size() > 2 && "namespaces".equals(rest.get(0))
				&& !(rest.size() == 3 && NAMESPACE_SUBRESOURCES.contains(rest.get(2)));
		String namespace = (inNamespace) ? rest.get(1) : null;
		List<String> parts = (inNamespace) ? rest.subList(2, rest.size()) : rest;
		if (parts.size() > 3 || parts.stream().anyMatch(String::isEmpty)) {
			return null;
		}
		return new ApiPath(group, version, namespace, parts.get(0), (parts.size() > 1) ? parts.get(1) : null,
				(parts.size() > 2) ? parts.get(2) : null);
	}

}
