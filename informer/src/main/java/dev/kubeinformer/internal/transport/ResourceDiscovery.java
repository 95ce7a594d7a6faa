package dev.kubeinformer.internal.transport;

import java.io.IOException;
import java.net.HttpURLConnection;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.internal.codec.MalformedResponseException;
import dev.kubeinformer.internal.codec.json.JsonMappers;
import dev.kubeinformer.internal.codec.pool.KnownValues;
import dev.kubeinformer.internal.failure.ApiStatusException;
import dev.kubeinformer.resource.ResourceType;

/**
 * Looks a resource up in the API server's discovery documents. Finds its kind or, if the
 * resource is not served as requested, the reason.
 */
final class ResourceDiscovery {

	private static final int MOST_STRINGS = 64;

	private final ResourceType<?> type;

	private final @Nullable String namespace;

	private final JsonMappers mappers;

	private final Documents documents;

	/**
	 * Creates the lookup.
	 * @param type the resource
	 * @param namespace the requested namespace; {@code null} for all
	 * @param mappers the JSON mappers for the documents
	 * @param documents reads the documents
	 */
	ResourceDiscovery(ResourceType<?> type, @Nullable String namespace, JsonMappers mappers, Documents documents) {
		this.type = type;
		this.namespace = namespace;
		this.mappers = mappers;
		this.documents = documents;
	}

	/**
	 * Reads the discovery documents.
	 * @return the result
	 * @throws ApiStatusException if the API server responds with an error
	 * @throws MalformedResponseException if its response is not a discovery document
	 * @throws IOException if there is no response
	 */
	Found discover() throws IOException {
		List<Map<?, ?>> resources = resources();
		if (resources == null) {
			return new Found("", versionAdvice());
		}
		Map<?, ?> found = find(resources, this.type.plural());
		return (found != null) ? new Found(text(found, "kind"), advice(found)) : new Found("", pluralAdvice(resources));
	}

	/**
	 * Returns the reason why the API server did not find the target of a write.
	 * @param subresource the subresource, with a slash before it, or empty
	 * @return the reason and advice, without a full stop; {@code null} if the resource is
	 * served, so that the object or its namespace does not exist
	 * @throws ApiStatusException if the API server responds with an error
	 * @throws MalformedResponseException if its response is not a discovery document
	 * @throws IOException if there is no response
	 */
	@Nullable String whyNotFound(String subresource) throws IOException {
		List<Map<?, ?>> resources = resources();
		if (resources == null) {
			return versionAdvice();
		}
		Map<?, ?> found = find(resources, this.type.plural());
		if (found == null) {
			return pluralAdvice(resources);
		}
		if (found.get("namespaced") instanceof Boolean namespaced && namespaced != this.type.namespaced()) {
			return "'%s' are %s, and not %s as their class says".formatted(this.type.name(), scope(namespaced),
					scope(!namespaced));
		}
		if (find(resources, this.type.plural() + subresource) != null) {
			return null;
		}
		String name = subresource.substring(1);
		return "'%s' has no subresource '%s'; add 'subresources.%s' to the version '%s' in its CustomResourceDefinition"
			.formatted(this.type.name(), name, name, this.type.version());
	}

	/**
	 * Returns the API versions in which the API server serves the resource. Each stored
	 * object can be read in each of these versions.
	 * @return the versions; empty if the resource does not exist
	 * @throws ApiStatusException if the API server responds with an error
	 * @throws MalformedResponseException if its response is not a discovery document
	 * @throws IOException if there is no response
	 */
	List<String> servingVersions() throws IOException {
		List<String> serving = new ArrayList<>();
		for (String version : versions()) {
			String path = this.type.group().isEmpty() ? "/api/" + version
					: "/apis/%s/%s".formatted(this.type.group(), version);
			if (find(readList(path, "resources"), this.type.plural()) != null) {
				serving.add(version);
			}
		}
		return serving;
	}

	private List<String> versions() throws IOException {
		String group = this.type.group();
		if (group.isEmpty()) {
			return List.of("v1");
		}
		try {
			return readList("/apis/" + group, "versions").stream().map((each) -> text(each, "version")).toList();
		}
		catch (ApiStatusException ex) {
			// A proxy responds with 404, too, but does not know the other groups.
			boolean known = ex.getStatus().code() != HttpURLConnection.HTTP_NOT_FOUND
					|| readList("/apis", "groups").stream().anyMatch((each) -> group.equals(each.get("name")));
			if (known) {
				throw ex;
			}
			return List.of();
		}
	}

	private List<Map<?, ?>> readList(String path, String name) throws IOException {
		Map<?, ?> document = read(path);
		if (!document.containsKey(name)) {
			throw new MalformedResponseException("The document '%s' has no '%s'".formatted(path, name));
		}
		return maps(document.get(name));
	}

	private static String scope(boolean namespaced) {
		return namespaced ? "namespaced" : "cluster-scoped";
	}

	/**
	 * Reads the resources of the requested API group and version.
	 * @return the resources and subresources; {@code null} if the group and version is
	 * not served
	 * @throws IOException if the API server does not respond
	 */
	private @Nullable List<Map<?, ?>> resources() throws IOException {
		try {
			return maps(
					read((this.type.group().isEmpty() ? "/api/" : "/apis/") + this.type.apiVersion()).get("resources"));
		}
		catch (ApiStatusException ex) {
			if (ex.getStatus().code() != HttpURLConnection.HTTP_NOT_FOUND) {
				throw ex;
			}
			return null;
		}
	}

	private static @Nullable Map<?, ?> find(List<Map<?, ?>> resources, String name) {
		for (Map<?, ?> each : resources) {
			if (name.equals(each.get("name"))) {
				return each;
			}
		}
		return null;
	}

	/**
	 * Returns the result to use if discovery fails.
	 * @return the kind that the type itself declares
	 */
	Found unknown() {
		return new Found(this.type.kind(), null);
	}

	private @Nullable String advice(Map<?, ?> resource) {
		if (this.namespace != null && Boolean.FALSE.equals(resource.get("namespaced"))) {
			return "'%s' are cluster-scoped; an informer on them cannot be narrowed to the namespace '%s': leave the namespaces out, or write '*'"
				.formatted(this.type.name(), this.namespace);
		}
		if (resource.get("verbs") instanceof List<?> verbs && !(verbs.contains("list") && verbs.contains("watch"))) {
			return "'%s' can not be both listed and watched; the API server offers %s".formatted(this.type.name(),
					verbs);
		}
		return null;
	}

	private String pluralAdvice(List<Map<?, ?>> resources) {
		String missing = "'%s' has no resource '%s'".formatted(this.type.apiVersion(), this.type.plural());
		for (Map<?, ?> each : resources) {
			if (isMeant(each)) {
				return "%s; did you mean '%s'?".formatted(missing, text(each, "name"));
			}
		}
		return missing + "; is its CustomResourceDefinition installed?";
	}

	private boolean isMeant(Map<?, ?> resource) {
		String plural = text(resource, "name");
		String asked = this.type.plural().toLowerCase(Locale.ROOT);
		if (plural.isEmpty() || plural.indexOf('/') >= 0) {
			// This is a subresource.
			return false;
		}
		List<String> names = new ArrayList<>(
				List.of(plural, text(resource, "singularName"), text(resource, "kind").toLowerCase(Locale.ROOT)));
		if (resource.get("shortNames") instanceof List<?> shorts) {
			shorts.forEach((each) -> names.add(String.valueOf(each)));
		}
		return names.contains(asked) || isOneEditAway(asked, plural);
	}

	// Returns whether one letter is added, missing or different, or two adjacent letters
	// are swapped.
	private static boolean isOneEditAway(String name, String other) {
		if (Math.abs(name.length() - other.length()) > 1) {
			return false;
		}
		int shorter = Math.min(name.length(), other.length());
		int front = 0;
		while (front < shorter && name.charAt(front) == other.charAt(front)) {
			front++;
		}
		int back = 0;
		while (back < shorter - front
				&& name.charAt(name.length() - 1 - back) == other.charAt(other.length() - 1 - back)) {
			back++;
		}
		int left = name.length() - front - back;
		int otherLeft = other.length() - front - back;
		return Math.max(left, otherLeft) <= 1 || (left == 2 && otherLeft == 2
				&& name.charAt(front) == other.charAt(front + 1) && name.charAt(front + 1) == other.charAt(front));
	}

	private @Nullable String versionAdvice() throws IOException {
		if (this.type.group().isEmpty()) {
			return "is 'v1' the version that is meant, and is the URL that of the API server's root?";
		}
		List<Map<?, ?>> versions;
		try {
			versions = maps(read("/apis/" + this.type.group()).get("versions"));
		}
		catch (IOException ex) {
			// If the cause is a stop, the next request fails, too.
			return null;
		}
		return "the API server serves '%s' in %s and not in '%s'".formatted(this.type.group(),
				versions.stream()
					.map((each) -> "'%s'".formatted(text(each, "version")))
					.collect(Collectors.joining(", ")),
				this.type.version());
	}

	private Map<?, ?> read(String path) throws IOException {
		byte[] json = this.documents.read(path);
		if (this.mappers.readUntyped(json, 0, json.length, new KnownValues(MOST_STRINGS)) instanceof Map<?, ?> map) {
			return map;
		}
		throw new MalformedResponseException("The document '%s' is not a JSON object".formatted(path));
	}

	private static List<Map<?, ?>> maps(@Nullable Object list) {
		List<Map<?, ?>> maps = new ArrayList<>();
		if (list instanceof List<?> elements) {
			for (Object each : elements) {
				if (each instanceof Map<?, ?> map) {
					maps.add(map);
				}
			}
		}
		return maps;
	}

	private static String text(Map<?, ?> map, String name) {
		return (map.get(name) instanceof String text) ? text : "";
	}

	/** Reads discovery documents. */
	@FunctionalInterface
	interface Documents {

		byte[] read(String path) throws IOException;

	}

	/**
	 * Result of discovery for a resource.
	 *
	 * @param kind the kind of its objects; empty if unknown
	 * @param advice the advice for requests that do not find the resource, without a full
	 * stop; {@code null} if there is none
	 */
	record Found(String kind, @Nullable String advice) {

	}

}
