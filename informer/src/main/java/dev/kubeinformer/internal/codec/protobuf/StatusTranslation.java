package dev.kubeinformer.internal.codec.protobuf;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Translates protobuf {@code Status} objects into JSON trees, because exceptions show a
 * status to people and applications as JSON.
 */
final class StatusTranslation {

	private StatusTranslation() {
	}

	/**
	 * Translates a status.
	 * @param status the status
	 * @return the tree of its JSON
	 * @throws MalformedMessageException if it is not a status
	 */
	static Map<String, Object> tree(WireFields status) throws MalformedMessageException {
		Map<String, Object> json = new LinkedHashMap<>();
		json.put("kind", "Status");
		json.put("apiVersion", "v1");
		json.put("metadata", Map.of());
		while (status.next()) {
			if (status.isBytes(2)) {
				json.put("status", status.text());
			}
			else if (status.isBytes(3)) {
				json.put("message", status.text());
			}
			else if (status.isBytes(4)) {
				json.put("reason", status.text());
			}
			else if (status.isBytes(5)) {
				json.put("details", details(status.message()));
			}
			else if (status.isNumber(6)) {
				json.put("code", status.number());
			}
		}
		return json;
	}

	private static Map<String, Object> details(WireFields details) throws MalformedMessageException {
		Map<String, Object> json = new LinkedHashMap<>();
		List<Object> causes = new ArrayList<>();
		while (details.next()) {
			if (details.isBytes(1)) {
				put(json, "name", details.text());
			}
			else if (details.isBytes(2)) {
				put(json, "group", details.text());
			}
			else if (details.isBytes(3)) {
				put(json, "kind", details.text());
			}
			else if (details.isBytes(4)) {
				causes.add(cause(details.message()));
			}
			else if (details.isNumber(5) && details.number() != 0) {
				json.put("retryAfterSeconds", details.number());
			}
			else if (details.isBytes(6)) {
				put(json, "uid", details.text());
			}
		}
		if (!causes.isEmpty()) {
			json.put("causes", causes);
		}
		return json;
	}

	private static Map<String, Object> cause(WireFields cause) throws MalformedMessageException {
		Map<String, Object> json = new LinkedHashMap<>();
		while (cause.next()) {
			if (cause.isBytes(1)) {
				put(json, "reason", cause.text());
			}
			else if (cause.isBytes(2)) {
				put(json, "message", cause.text());
			}
			else if (cause.isBytes(3)) {
				put(json, "field", cause.text());
			}
		}
		return json;
	}

	// Go omits empty values.
	private static void put(Map<String, Object> json, String name, String text) {
		if (!text.isEmpty()) {
			json.put(name, text);
		}
	}

}
