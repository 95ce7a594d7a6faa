package dev.kubeinformer.internal.transport;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

import io.kubernetes.client.openapi.models.V1ObjectMeta;
import okhttp3.HttpUrl;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.internal.codec.json.WrittenMetadata;
import dev.kubeinformer.types.ObjectKey;

/**
 * Object that a request concerns, read from the path of the request.
 *
 * @param group the API group; empty for the core group
 * @param plural the plural name of the resource
 * @param namespace the namespace; empty for cluster-scoped objects
 * @param name the name; empty for the collection
 * @param subresource the subresource after a slash; empty for the object itself
 */
record RequestedObject(String group, String plural, String namespace, String name, String subresource) {

	/** Subresources for which the API server responds with the object or its metadata. */
	private static final Set<String> SUBRESOURCES = Set.of("status", "scale", "resize", "ephemeralcontainers",
			"approval", "finalize");

	/**
	 * Reads a URL.
	 * @param url the URL; a path prefix before the API, such as a proxy's, is ignored
	 * @return the object; {@code null} if the request does not concern an object, or
	 * concerns another subresource
	 */
	static @Nullable RequestedObject of(HttpUrl url) {
		List<String> path = new ArrayList<>(url.pathSegments());
		int core = path.indexOf("api");
		int grouped = path.indexOf("apis");
		boolean isCore = core >= 0 && (grouped < 0 || core < grouped);
		int api = isCore ? core : grouped;
		int start = api + (isCore ? 2 : 3);
		if (api < 0 || path.size() <= start) {
			return null;
		}
		String group = isCore ? "" : path.get(api + 1);
		List<String> rest = path.subList(start, path.size());
		String namespace = "";
		if (rest.get(0).equals("namespaces") && rest.size() > 2 && !SUBRESOURCES.contains(rest.get(2))) {
			namespace = rest.get(1);
			rest = rest.subList(2, rest.size());
		}
		if (rest.size() > 3 || (rest.size() == 3 && !SUBRESOURCES.contains(rest.get(2)))) {
			return null;
		}
		return new RequestedObject(group, rest.get(0), namespace, (rest.size() > 1) ? rest.get(1) : "",
				(rest.size() > 2) ? "/" + rest.get(2) : "");
	}

	String resource() {
		return this.group.isEmpty() ? this.plural : this.plural + "." + this.group;
	}

	ObjectKey key() {
		return new ObjectKey(this.namespace, this.name);
	}

	RecordedWrite written(WrittenMetadata metadata) {
		return new RecordedWrite(this.group, this.plural, false, metadata);
	}

	RecordedWrite deleted(@Nullable WrittenMetadata answered) {
		// The response is the object, or a status with its UID.
		V1ObjectMeta metadata = (answered != null) ? answered.getMetadata() : new V1ObjectMeta();
		metadata.setNamespace(this.namespace.isEmpty() ? null : this.namespace);
		metadata.setName(this.name);
		return new RecordedWrite(this.group, this.plural, true, new WrittenMetadata("", "", metadata));
	}

}
