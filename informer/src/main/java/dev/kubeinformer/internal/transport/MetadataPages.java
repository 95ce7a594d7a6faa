package dev.kubeinformer.internal.transport;

import java.io.IOException;
import java.net.HttpURLConnection;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.openapi.Pair;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.internal.codec.ListHeader;
import dev.kubeinformer.internal.codec.MalformedResponseException;
import dev.kubeinformer.internal.codec.json.ModelJson;
import dev.kubeinformer.internal.failure.Failure;
import dev.kubeinformer.internal.transport.ApiWrites.Target;

/**
 * Reads the metadata of the objects in a list, page by page, in order to delete the
 * objects. Confined to one thread.
 */
public final class MetadataPages {

	private static final String JSON = "application/json";

	private static final String PAGE = "250";

	private final WriteRequests requests;

	private final ModelJson json;

	private final Target target;

	private final String labelSelector;

	private final RunCalls calls;

	private final ListPages pages = new ListPages();

	private @Nullable String token = "";

	MetadataPages(WriteRequests requests, ModelJson json, Target target, String labelSelector, RunCalls calls) {
		this.requests = requests;
		this.json = json;
		this.target = target;
		this.labelSelector = labelSelector;
		this.calls = calls;
	}

	/**
	 * Reads the next page.
	 * @return namespace, name, UID, version and deletionTimestamp of each object; {@code
	 * null} after the last page, or if the resource is no longer served
	 * @throws ApiException if the API server rejects the request, does not respond, sends
	 * an endless list, or does not find the resource although it may have objects
	 */
	public @Nullable List<V1ObjectMeta> next() throws ApiException {
		String current = this.token;
		if (current == null) {
			return null;
		}
		try {
			Map<?, ?> answer = map(this.json.readUntyped(page(current)));
			List<V1ObjectMeta> items = items(answer);
			String next = Objects.requireNonNullElse(text(map(answer.get("metadata")).get("continue")), "");
			this.token = next.isEmpty() ? null : this.pages.turn(new ListHeader("", next), beginning(items));
			return items;
		}
		catch (MalformedResponseException ex) {
			throw WriteRefusals.unanswered(this.target, String.valueOf(ex.getMessage()), ex);
		}
		catch (ApiException ex) {
			if (ex.getCode() != HttpURLConnection.HTTP_NOT_FOUND) {
				throw ex;
			}
			requireUnserved(ex);
			this.token = null;
			return null;
		}
	}

	private byte[] page(String current) throws ApiException {
		List<Pair> query = new ArrayList<>();
		query.add(new Pair("labelSelector", this.labelSelector));
		query.add(new Pair("limit", PAGE));
		if (!current.isEmpty()) {
			query.add(new Pair("continue", current));
		}
		return this.requests.send(this.target, query, JSON, null, this.calls).body();
	}

	// A 404 may also mean that the server has another version of the resource, or that a
	// proxy or an aggregated API server is not ready.
	private void requireUnserved(ApiException answer) throws ApiException {
		String name = this.target.type().name();
		String why;
		try {
			List<String> versions = new ResourceDiscovery(this.target.type(), null, this.json.mappers(),
					(path) -> this.requests.document(path, this.calls))
				.servingVersions();
			if (versions.isEmpty()) {
				return;
			}
			why = versions.contains(this.target.type().version())
					? "discovery has '%s', so objects of it may be left; if this lasts, check the proxies between this application and the API server"
						.formatted(name)
					: "the API server serves '%s' in %s and not in '%s', so objects of it may be left; set the version of the class to one that is served"
						.formatted(name, versions.stream().map("'%s'"::formatted).collect(Collectors.joining(", ")),
								this.target.type().version());
		}
		catch (IOException ex) {
			why = "discovery does not say whether another version of '%s' is served (%s), so objects of it may be left"
				.formatted(name, Failure.of(ex).message());
		}
		throw WriteRefusals.notServed(answer, this.target, why);
	}

	private static String beginning(List<V1ObjectMeta> items) {
		if (items.isEmpty()) {
			return "";
		}
		V1ObjectMeta first = items.get(0);
		return Objects.requireNonNullElse((first.getUid() != null) ? first.getUid() : first.getName(), "");
	}

	private static List<V1ObjectMeta> items(Map<?, ?> answer) {
		List<V1ObjectMeta> items = new ArrayList<>();
		if (answer.get("items") instanceof List<?> list) {
			for (Object each : list) {
				Map<?, ?> metadata = map(map(each).get("metadata"));
				V1ObjectMeta item = new V1ObjectMeta().namespace(text(metadata.get("namespace")))
					.name(text(metadata.get("name")))
					.uid(text(metadata.get("uid")))
					.resourceVersion(text(metadata.get("resourceVersion")));
				// Only the presence of the timestamp matters, and a server may send any
				// text.
				items.add((metadata.get("deletionTimestamp") != null) ? item.deletionTimestamp(OffsetDateTime.MIN)
						: item);
			}
		}
		return List.copyOf(items);
	}

	private static Map<?, ?> map(@Nullable Object value) {
		return (value instanceof Map<?, ?> map) ? map : Map.of();
	}

	private static @Nullable String text(@Nullable Object value) {
		return (value instanceof String text && !text.isEmpty()) ? text : null;
	}

}
