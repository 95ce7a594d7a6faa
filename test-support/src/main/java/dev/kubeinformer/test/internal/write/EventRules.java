package dev.kubeinformer.test.internal.write;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

import tools.jackson.databind.JsonNode;

import dev.kubeinformer.test.internal.resource.GroupResource;
import dev.kubeinformer.test.internal.resource.ResourceDefinition;
import dev.kubeinformer.test.internal.status.Rejection;
import dev.kubeinformer.test.internal.status.RequestFailure;
import dev.kubeinformer.test.internal.status.Statuses;

/**
 * Rules for events of {@code events.k8s.io} (validation/events.go of kube-apiserver). A
 * write can change only the {@code series} of an event.
 */
final class EventRules {

	private static final GroupResource EVENTS = new GroupResource("events.k8s.io", "events");

	// Allowed namespaces of events about cluster-scoped objects.
	private static final Set<String> OF_CLUSTER = Set.of("default", "kube-system");

	private static final Set<String> TYPES = Set.of("Normal", "Warning");

	private static final int TEXT_LIMIT = 128;

	private static final int NOTE_LIMIT = 1024;

	private static final int NAME_LIMIT = 63;

	private static final Pattern MICRO_TIME = Pattern
		.compile("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{6}(Z|[+-]\\d\\d:\\d\\d)");

	private static final Pattern NAME = Pattern.compile("([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]");

	private static final String WRONG_NAME = "name part must consist of alphanumeric characters, '-', '_' or '.', and "
			+ "must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex "
			+ "used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";

	// Fields with their names in messages, which are the names of the internal type.
	private static final Map<String, String> IMMUTABLE = new LinkedHashMap<>();

	static {
		IMMUTABLE.put("regarding", "involvedObject");
		IMMUTABLE.put("reason", "reason");
		IMMUTABLE.put("note", "message");
		IMMUTABLE.put("type", "type");
		IMMUTABLE.put("eventTime", "eventTime");
		IMMUTABLE.put("action", "action");
		IMMUTABLE.put("related", "related");
		IMMUTABLE.put("reportingController", "reportingController");
		IMMUTABLE.put("reportingInstance", "reportingInstance");
	}

	private static final Map<String, String> UNSET = Map.of("deprecatedCount", "count", "deprecatedFirstTimestamp",
			"firstTimestamp", "deprecatedLastTimestamp", "lastTimestamp", "deprecatedSource", "source");

	private EventRules() {
	}

	/**
	 * Checks an event that is created.
	 * @param type the resource; only events are checked
	 * @param event the event
	 * @throws RequestFailure 400 or 422 if it is not valid
	 */
	static void checkCreate(ResourceDefinition type, JsonNode event) {
		if (EVENTS.equals(type.resource())) {
			reject(type, event, rejections(event));
		}
	}

	/**
	 * Checks an event that is changed.
	 * @param type the resource; only events are checked
	 * @param before the event
	 * @param next its next state
	 * @throws RequestFailure 400 or 422 if the change is not valid
	 */
	static void checkUpdate(ResourceDefinition type, JsonNode before, JsonNode next) {
		if (!EVENTS.equals(type.resource())) {
			return;
		}
		List<Rejection> rejections = rejections(next);
		IMMUTABLE.forEach((field, name) -> {
			if (!next.path(field).equals(before.path(field))) {
				String value = next.path(field).toString();
				rejections.add(new Rejection(name, "FieldValueInvalid",
						"Invalid value: " + (value.isEmpty() ? "\"\"" : value) + ": field is immutable"));
			}
		});
		reject(type, next, rejections);
	}

	private static void reject(ResourceDefinition type, JsonNode event, List<Rejection> rejections) {
		if (!rejections.isEmpty()) {
			throw Rejection.of("", type.kind(), event.path("metadata").path("name").asString(""),
					rejections.toArray(Rejection[]::new));
		}
	}

	private static List<Rejection> rejections(JsonNode event) {
		checkTime(event.path("eventTime"));
		JsonNode series = event.path("series");
		checkTime(series.path("lastObservedTime"));
		List<Rejection> rejections = new ArrayList<>();
		String namespace = event.path("metadata").path("namespace").asString("");
		if (event.path("regarding").path("namespace").asString("").isEmpty() && !OF_CLUSTER.contains(namespace)) {
			rejections.add(Rejection.value("involvedObject.namespace", "", "does not match event.namespace"));
		}
		requireTime(event.path("eventTime"), "eventTime", rejections);
		if (series.isObject()) {
			if (series.path("count").asLong(0) < 2) {
				rejections.add(Rejection.value("series.count", "", "should be at least 2"));
			}
			requireTime(series.path("lastObservedTime"), "series.lastObservedTime", rejections);
		}
		checkController(event.path("reportingController").asString(""), rejections);
		for (String field : List.of("reportingInstance", "action", "reason")) {
			checkText(event.path(field).asString(""), field, rejections);
		}
		String level = event.path("type").asString("");
		if (!TYPES.contains(level)) {
			rejections.add(Rejection.value("type", "", "has invalid value: " + level));
		}
		if (bytes(event.path("note").asString("")) > NOTE_LIMIT) {
			rejections.add(Rejection.value("message", "", "can have at most 1024 characters"));
		}
		UNSET.forEach((field, name) -> {
			JsonNode value = event.path(field);
			if (value.isNumber() || value.isString() || !value.isEmpty()) {
				rejections.add(Rejection.value(name, "", "needs to be unset"));
			}
		});
		return rejections;
	}

	// The format requires exactly six digits after the seconds.
	private static void checkTime(JsonNode time) {
		if (time.isString() && !MICRO_TIME.matcher(time.asString()).matches()) {
			throw Statuses.badRequest("Event in version \"v1\" cannot be handled as a Event: parsing time \""
					+ time.asString() + "\" as \"2006-01-02T15:04:05.000000Z07:00\"");
		}
	}

	private static void requireTime(JsonNode time, String field, List<Rejection> rejections) {
		if (!time.isString()) {
			rejections.add(required(field));
		}
	}

	private static void checkText(String text, String field, List<Rejection> rejections) {
		if (text.isEmpty()) {
			rejections.add(required(field));
		}
		else if (bytes(text) > TEXT_LIMIT) {
			rejections.add(Rejection.value(field, "", "can have at most 128 characters"));
		}
	}

	private static void checkController(String controller, List<Rejection> rejections) {
		String field = "reportingController";
		String name = controller.substring(controller.lastIndexOf('/') + 1);
		if (controller.isEmpty()) {
			rejections.add(required(field));
		}
		if (name.isEmpty()) {
			rejections.add(Rejection.value(field, controller, "name part must be non-empty"));
		}
		if (bytes(name) > NAME_LIMIT) {
			rejections.add(Rejection.value(field, controller, "name part must be no more than 63 bytes"));
		}
		if (!NAME.matcher(name).matches()) {
			rejections.add(Rejection.value(field, controller, WRONG_NAME));
		}
	}

	// The messages say characters but count bytes.
	private static int bytes(String text) {
		return text.getBytes(StandardCharsets.UTF_8).length;
	}

	private static Rejection required(String field) {
		return new Rejection(field, "FieldValueRequired", "Required value");
	}

}
