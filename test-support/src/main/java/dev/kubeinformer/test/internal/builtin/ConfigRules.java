package dev.kubeinformer.test.internal.builtin;

import java.util.Base64;

import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

import dev.kubeinformer.test.internal.json.Json;

/**
 * Rules for ConfigMaps and Secrets.
 */
final class ConfigRules {

	private static final int LIMIT = 1024 * 1024;

	private static final String SET = "field is immutable when `immutable` is set";

	private ConfigRules() {
	}

	static void configMap(Part map) {
		long size = 0;
		JsonNode binaries = map.node().path("binaryData");
		for (var entry : map.at("data").node().properties()) {
			String key = entry.getKey();
			Part data = map.at("data").key(key);
			Formats.configKey(key).forEach((why) -> data.invalid("\"" + key + "\"", why));
			if (binaries.has(key)) {
				data.invalid("\"" + key + "\"", "duplicate of key present in binaryData");
			}
			size += MetadataRules.bytes(entry.getValue().asString(""));
		}
		for (var entry : binaries.properties()) {
			String key = entry.getKey();
			Formats.configKey(key).forEach((why) -> map.at("binaryData").key(key).invalid("\"" + key + "\"", why));
			size += decodedLength(entry.getValue());
		}
		if (size > LIMIT) {
			map.as("[]").tooLong("bytes", LIMIT);
		}
	}

	static void configMapUpdate(Part map, JsonNode before) {
		keepImmutable(map, before, "data", "binaryData");
	}

	private static void keepImmutable(Part object, JsonNode before, String... fields) {
		if (!before.path("immutable").asBoolean(false)) {
			return;
		}
		if (!object.flag("immutable")) {
			object.at("immutable").forbidden(SET);
		}
		for (String field : fields) {
			if (!Formats.same(object.node().path(field), before.path(field))) {
				object.at(field).forbidden(SET);
			}
		}
	}

	static void secret(Part secret) {
		Part data = secret.at("data");
		long size = 0;
		for (var entry : data.node().properties()) {
			String key = entry.getKey();
			Formats.configKey(key).forEach((why) -> data.key(key).invalid("\"" + key + "\"", why));
			size += decodedLength(entry.getValue());
		}
		if (size > LIMIT) {
			data.tooLong("bytes", LIMIT);
		}
		switch (secret.text("type")) {
			case "kubernetes.io/service-account-token" -> {
				String account = "kubernetes.io/service-account.name";
				if (secret.at("metadata.annotations").key(account).isEmpty()) {
					secret.at("metadata.annotations").key(account).required();
				}
			}
			case "kubernetes.io/dockercfg" -> json(data.key(".dockercfg"));
			case "kubernetes.io/dockerconfigjson" -> json(data.key(".dockerconfigjson"));
			case "kubernetes.io/basic-auth" -> {
				if (!data.key("username").isSet() && !data.key("password").isSet()) {
					data.key("username").required();
					data.key("password").required();
				}
			}
			case "kubernetes.io/ssh-auth" -> {
				if (data.key("ssh-privatekey").isEmpty()) {
					data.key("ssh-privatekey").required();
				}
			}
			case "kubernetes.io/tls" -> {
				for (String key : new String[] { "tls.crt", "tls.key" }) {
					if (!data.key(key).isSet()) {
						data.key(key).required();
					}
				}
			}
			default -> {
			}
		}
	}

	private static void json(Part value) {
		if (!value.isSet()) {
			value.required();
			return;
		}
		try {
			if (Json.read(Base64.getMimeDecoder().decode(value.text())).isObject()) {
				return;
			}
		}
		catch (JacksonException | IllegalArgumentException ex) {
			// Report the failure below, without the content.
		}
		value.invalid("\"<secret contents redacted>\"", "unexpected end of JSON input");
	}

	static void secretUpdate(Part secret, JsonNode before) {
		secret.at("type").immutable(before.path("type"));
		keepImmutable(secret, before, "data");
	}

	private static long decodedLength(JsonNode value) {
		String text = value.asString("");
		int padding = text.endsWith("==") ? 2 : text.endsWith("=") ? 1 : 0;
		return (long) text.length() / 4 * 3 - padding;
	}

}
