package dev.kubeinformer.test.internal.http;

import org.eclipse.jetty.http.HttpHeader;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

import dev.kubeinformer.test.internal.json.Json;
import dev.kubeinformer.test.internal.status.Statuses;

/**
 * The bodies of requests, in JSON or YAML.
 */
public final class Bodies {

	private static final String YAML = "application/yaml";

	private static final YAMLMapper YAML_MAPPER = YAMLMapper.builder().build();

	private Bodies() {
	}

	public static String mediaType(Exchange exchange) {
		return exchange.header(HttpHeader.CONTENT_TYPE).split(";", 2)[0].trim();
	}

	/**
	 * Reads an object.
	 * @param exchange the request
	 * @param kind the kind that is expected, for messages
	 * @return the object
	 * @throws RequestFailure 415 for an unknown media type, 400 for a body that is not an
	 * object
	 */
	public static ObjectNode object(Exchange exchange, String kind) {
		try {
			if (node(exchange) instanceof ObjectNode object) {
				return object;
			}
		}
		catch (JacksonException ex) {
			throw Statuses.badRequest("the object provided is unrecognized (must be of type " + kind
					+ "): couldn't get version/kind; json parse error: " + ex.getOriginalMessage());
		}
		throw Statuses.badRequest("the object provided is unrecognized (must be of type " + kind + ")");
	}

	/**
	 * Reads the options of a delete.
	 * @param exchange the request
	 * @return the options, empty if there are none
	 */
	public static ObjectNode options(Exchange exchange) {
		try {
			JsonNode node = node(exchange);
			if (node instanceof ObjectNode object) {
				return object;
			}
			if (node.isMissingNode()) {
				return Json.object();
			}
		}
		catch (JacksonException ex) {
			throw Statuses.badRequest("couldn't get version/kind; json parse error: " + ex.getOriginalMessage());
		}
		throw Statuses.badRequest("couldn't get version/kind; json parse error: this is not an object");
	}

	// Reads a patch in JSON.
	public static JsonNode patch(Exchange exchange) {
		try {
			return Json.read(exchange.body());
		}
		catch (JacksonException ex) {
			throw Statuses.badRequest("error decoding patch: " + ex.getOriginalMessage());
		}
	}

	// Reads the configuration of a server-side apply in YAML, of which JSON is a subset.
	public static ObjectNode configuration(Exchange exchange) {
		try {
			if (YAML_MAPPER.readTree(exchange.body()) instanceof ObjectNode object) {
				return object;
			}
		}
		catch (JacksonException ex) {
			throw Statuses.badRequest("error decoding YAML: " + ex.getOriginalMessage());
		}
		throw Statuses.badRequest("error decoding YAML: this is not an object");
	}

	private static JsonNode node(Exchange exchange) {
		String mediaType = mediaType(exchange);
		byte[] body = exchange.body();
		if (mediaType.isEmpty() || Exchange.JSON.equals(mediaType)) {
			return Json.read(body);
		}
		if (YAML.equals(mediaType)) {
			return YAML_MAPPER.readTree(body);
		}
		throw Statuses.of(415, "the body of the request was in an unknown format - accepted media types include: "
				+ Exchange.JSON + ", " + YAML);
	}

}
