package dev.kubeinformer.test.internal.request;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.test.internal.status.Statuses;

/**
 * Chooses the type of the response from the Accept header: JSON or protobuf. Rejects the
 * request if neither is accepted.
 */
public final class MediaTypes {

	private static final Set<String> JSON = Set.of("application/json", "application/*", "*/*");

	/**
	 * Media type of protobuf.
	 */
	public static final String PROTOBUF = "application/vnd.kubernetes.protobuf";

	private static final Set<String> VERSIONS = Set.of("v1", "v1beta1");

	private MediaTypes() {
	}

	/**
	 * Chooses the first alternative that can be served.
	 * @param accept the Accept header, empty for everything
	 * @param discovery whether the response is a discovery document that can be
	 * aggregated
	 * @param watch whether the response is a watch
	 * @param offer the representations that can be served
	 * @return the representation to serve
	 * @throws RequestFailure 406 if no alternative can be served
	 */
	public static Representation negotiate(String accept, boolean discovery, boolean watch, Offer offer) {
		boolean json = accept.isBlank();
		if (json) {
			return full(Map.of());
		}
		for (Range range : ranges(accept)) {
			boolean protobuf = offer.protobuf() != Offer.Protobuf.NONE && PROTOBUF.equals(range.type());
			if (protobuf || JSON.contains(range.type())) {
				json = true;
				Representation representation = representation(range.parameters(), discovery);
				if (representation != null && offer.includes(representation, protobuf)) {
					return (protobuf) ? representation.asProtobuf() : representation;
				}
			}
		}
		throw Statuses.notAcceptable((json) ? "only the following media types are accepted: application/json"
				: "406: Not Acceptable\n\nAvailable representations: application/json"
						+ ((watch) ? ", application/json;stream=watch" : ""));
	}

	private static @Nullable Representation representation(Map<String, String> parameters, boolean discovery) {
		String as = parameters.getOrDefault("as", "");
		if (as.isEmpty()) {
			return full(parameters);
		}
		String group = parameters.getOrDefault("g", "");
		String version = parameters.getOrDefault("v", "");
		if (discovery) {
			boolean known = "APIGroupDiscoveryList".equals(as) && "apidiscovery.k8s.io".equals(group)
					&& "v2".equals(version);
			return (known) ? new Representation(Representation.Form.DISCOVERY, version, true, false) : null;
		}
		if (!"meta.k8s.io".equals(group) || !VERSIONS.contains(version)) {
			return null;
		}
		return switch (as) {
			case "PartialObjectMetadata" -> meta(Representation.Form.METADATA, version, parameters);
			case "PartialObjectMetadataList" -> meta(Representation.Form.METADATA_LIST, version, parameters);
			case "Table" -> meta(Representation.Form.TABLE, version, parameters);
			default -> null;
		};
	}

	private static Representation full(Map<String, String> parameters) {
		return meta(Representation.Form.FULL, "v1", parameters);
	}

	private static Representation meta(Representation.Form form, String version, Map<String, String> parameters) {
		return new Representation(form, version, !"metadata.managedFields".equals(parameters.get("drop")), false);
	}

	// The alternatives in the order of the client's preference.
	private static List<Range> ranges(String accept) {
		return Arrays.stream(accept.split(","))
			.map(MediaTypes::range)
			.sorted(Comparator.comparingDouble(Range::quality).reversed())
			.toList();
	}

	private static Range range(String text) {
		String[] parts = text.trim().split(";");
		Map<String, String> parameters = new TreeMap<>();
		for (int i = 1; i < parts.length; i++) {
			String[] pair = parts[i].trim().split("=", 2);
			parameters.put(pair[0].trim().toLowerCase(Locale.ROOT), (pair.length > 1) ? pair[1].trim() : "");
		}
		return new Range(parts[0].trim().toLowerCase(Locale.ROOT), parameters);
	}

	/**
	 * Alternative of an Accept header.
	 *
	 * @param type the media type or range
	 * @param parameters its parameters
	 */
	private record Range(String type, Map<String, String> parameters) {

		double quality() {
			try {
				return Double.parseDouble(this.parameters.getOrDefault("q", "1"));
			}
			catch (NumberFormatException ex) {
				return 1;
			}
		}

	}

}
