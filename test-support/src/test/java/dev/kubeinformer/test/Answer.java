package dev.kubeinformer.test;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

import org.assertj.core.api.Assertions;
import tools.jackson.core.JacksonException;
import tools.jackson.core.json.JsonReadFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.node.StringNode;

import dev.kubeinformer.test.internal.json.Json;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * An answer of an API, with everything masked that differs from one run to the next: the
 * namespace is "NS", uids are "UID", times "TIME", resourceVersions "RV", continue tokens
 * "TOKEN"; managedFields are left out.
 *
 * @param code the status code
 * @param contentType the type of the body
 * @param text the body as it came
 * @param body the masked body
 * @param warnings the warnings in its headers
 */
record Answer(int code, String contentType, String text, JsonNode body, List<String> warnings) {

	private static final JsonMapper LENIENT = JsonMapper.builder()
		.enable(JsonReadFeature.ALLOW_UNQUOTED_PROPERTY_NAMES, JsonReadFeature.ALLOW_SINGLE_QUOTES)
		.build();

	private static final Pattern UID = Pattern.compile("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");

	private static final Pattern TIME = Pattern.compile("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?Z");

	private static final Pattern REVISION = Pattern.compile("[1-9]\\d*");

	static Answer of(int code, String contentType, String text, String namespace, List<String> warnings) {
		return new Answer(code, contentType, text, mask(text, namespace), warnings);
	}

	/**
	 * Returns a masked document.
	 */
	static JsonNode mask(String text, String namespace) {
		String masked = text.replace(namespace, "NS");
		masked = UID.matcher(masked).replaceAll("UID");
		masked = TIME.matcher(masked).replaceAll("TIME");
		try {
			JsonNode body = LENIENT.readTree(masked);
			mask(body);
			return body;
		}
		catch (JacksonException ex) {
			return StringNode.valueOf(masked);
		}
	}

	private static void mask(JsonNode node) {
		if (node instanceof ObjectNode object) {
			object.remove("managedFields");
			if (REVISION.matcher(object.path("resourceVersion").asString("")).matches()) {
				object.put("resourceVersion", "RV");
			}
			if (!object.path("continue").asString("").isEmpty()) {
				object.put("continue", "TOKEN");
			}
		}
		node.forEach(Answer::mask);
	}

	/**
	 * Parses JSON that may lack the quotes of its names and have single ones.
	 */
	static ObjectNode parse(String json) {
		return (ObjectNode) LENIENT.readTree(json);
	}

	ObjectNode json() {
		return Json.readObject(this.text);
	}

	JsonNode metadata() {
		return json().path("metadata");
	}

	String resourceVersion() {
		return metadata().path("resourceVersion").asString();
	}

	List<String> names() {
		List<String> names = new ArrayList<>();
		this.body.path("items").forEach((item) -> names.add(item.path("metadata").path("name").asString()));
		return names;
	}

	Answer hasCode(int expected) {
		assertThat(this.code).as(this.text).isEqualTo(expected);
		return this;
	}

	/**
	 * Checks the code and the whole body.
	 */
	Answer is(int expected, String json) {
		hasCode(expected);
		Assertions.<Object>assertThat(this.body).isEqualTo(LENIENT.readTree(json));
		return this;
	}

	/**
	 * Checks that this is a failure, but not its details: of an update, kube-apiserver
	 * gives some causes twice.
	 */
	Answer isRejected(int expected, String reason, String message) {
		hasCode(expected);
		assertThat(this.body.path("reason").asString("")).isEqualTo(reason);
		assertThat(this.body.path("message").asString("")).isEqualTo(message);
		return this;
	}

	/**
	 * Checks that this is a failure, with its words.
	 * @param reason the reason, empty for none
	 * @param details the details as JSON, empty for none
	 */
	Answer isFailure(int expected, String reason, String message, String details) {
		ObjectNode status = Json.object().put("kind", "Status").put("apiVersion", "v1");
		status.putObject("metadata");
		status.put("status", "Failure").put("message", message);
		if (!reason.isEmpty()) {
			status.put("reason", reason);
		}
		if (!details.isEmpty()) {
			status.set("details", parse(details));
		}
		return is(expected, status.put("code", expected).toString());
	}

}
