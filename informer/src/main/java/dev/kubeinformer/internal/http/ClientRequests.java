package dev.kubeinformer.internal.http;

import java.net.URI;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.openapi.Pair;
import okhttp3.HttpUrl;
import okhttp3.Request;
import okhttp3.RequestBody;
import org.jspecify.annotations.Nullable;

/**
 * Builds requests as {@link ApiClient#buildRequest} does, with the client's current
 * headers, cookies and credentials. Unlike that method, it parses the server's URL only
 * once, because parsing takes longer than everything else. Safe for use by several
 * threads.
 */
public final class ClientRequests {

	private static final String[] AUTHENTICATIONS = { "BearerToken" };

	private static final Set<String> REPLACED = Set.of("buildRequest", "buildUrl");

	private final ApiClient apiClient;

	/**
	 * Whether the class of the application's client overrides the methods that build
	 * requests.
	 */
	private final boolean replaced;

	private volatile @Nullable Base base;

	/**
	 * Creates a builder of requests.
	 * @param apiClient the client
	 */
	public ClientRequests(ApiClient apiClient) {
		this.apiClient = apiClient;
		this.replaced = isReplaced(apiClient.getClass());
	}

	private static boolean isReplaced(Class<?> type) {
		// Skip the classes of this library: they do not override these methods, and
		// native images do not know their methods.
		for (Class<?> each = type; each != null && each != ApiClient.class; each = each.getSuperclass()) {
			if (!each.getName().startsWith("dev.kubeinformer.client.")
					&& Stream.of(each.getDeclaredMethods()).anyMatch((method) -> REPLACED.contains(method.getName()))) {
				return true;
			}
		}
		return false;
	}

	/**
	 * Builds a request. The body is not passed to the official client, because the client
	 * would convert it to a string. Only authentications that sign the body need that,
	 * and the client has none.
	 * @param method the HTTP method
	 * @param path the path, encoded
	 * @param query the query
	 * @param accept the accepted media types
	 * @param body the body; {@code null} for none
	 * @return the request
	 * @throws ApiException if the client cannot build the request
	 */
	public Request.Builder build(String method, String path, List<Pair> query, String accept,
			@Nullable RequestBody body) throws ApiException {
		Request.Builder request = build(method, path, query, accept);
		if (body != null) {
			request.header("Content-Type", String.valueOf(body.contentType())).method(method, body);
		}
		return request;
	}

	private Request.Builder build(String method, String path, List<Pair> query, String accept) throws ApiException {
		Base known = base();
		Map<String, String> headers = new HashMap<>(4);
		headers.put("Accept", accept);
		if (known == null) {
			return this.apiClient
				.buildRequest(null, path, method, query, List.of(), null, headers, new HashMap<>(), new HashMap<>(),
						AUTHENTICATIONS, null)
				.newBuilder();
		}
		List<Pair> parameters = new ArrayList<>(query);
		Map<String, String> cookies = new HashMap<>(2);
		this.apiClient.updateParamsForAuth(AUTHENTICATIONS, parameters, headers, cookies, "", method, known.uri());
		HttpUrl.Builder url = known.url().newBuilder().encodedPath(known.path() + path);
		if (!parameters.isEmpty()) {
			url.encodedQuery(query(parameters));
		}
		Request.Builder request = new Request.Builder().url(url.build());
		this.apiClient.processHeaderParams(headers, request);
		this.apiClient.processCookieParams(cookies, request);
		return request;
	}

	// The URL may change at any time, for example by a client for tests.
	private @Nullable Base base() {
		if (this.replaced) {
			return null;
		}
		String text = this.apiClient.buildUrl(null, "", List.of(), List.of());
		Base known = this.base;
		if (known == null || !known.text().equals(text)) {
			known = Base.of(text);
			this.base = known;
		}
		return known;
	}

	private String query(List<Pair> parameters) {
		StringBuilder query = new StringBuilder();
		for (Pair each : parameters) {
			query.append((query.length() > 0) ? "&" : "")
				.append(escape(each.getName()))
				.append('=')
				.append(escape(each.getValue()));
		}
		return query.toString();
	}

	/**
	 * Encodes a part of a URL with the same result as in the official client, but without
	 * the two regular expressions that the client uses.
	 * @param text the text
	 * @return the encoded text
	 */
	public String escape(String text) {
		for (int i = 0; i < text.length(); i++) {
			char each = text.charAt(i);
			boolean plain = (each >= 'a' && each <= 'z') || (each >= '0' && each <= '9') || (each >= 'A' && each <= 'Z')
					|| each == '-' || each == '.' || each == '_';
			if (!plain) {
				return this.apiClient.escapeString(text);
			}
		}
		return text;
	}

	/**
	 * URL of the server, in several forms.
	 *
	 * @param text the URL as a text
	 * @param url the parsed URL
	 * @param uri the URL as a URI
	 * @param path the prefix of each path
	 */
	private record Base(String text, HttpUrl url, URI uri, String path) {

		static @Nullable Base of(String text) {
			HttpUrl url = HttpUrl.parse(text);
			// The official client builds URLs of unusual servers.
			if (url == null || text.endsWith("/") || url.query() != null || url.fragment() != null) {
				return null;
			}
			String path = url.encodedPath();
			return new Base(text, url, url.uri(), path.equals("/") ? "" : path);
		}

	}

}
