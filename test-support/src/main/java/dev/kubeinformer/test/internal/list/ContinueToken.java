package dev.kubeinformer.test.internal.list;

import java.nio.charset.StandardCharsets;
import java.util.Base64;

import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

import dev.kubeinformer.test.internal.json.Json;
import dev.kubeinformer.test.internal.status.Statuses;

/**
 * Position at which the next page of a list begins.
 *
 * @param revision the revision of the first page, or -1 for the current one
 * @param after the path of the last object that was sent
 */
record ContinueToken(long revision, String after) {

	static final long CURRENT = -1;

	private static final String VERSION = "meta.k8s.io/v1";

	static ContinueToken parse(String text) {
		try {
			byte[] json = Base64.getUrlDecoder().decode(text.getBytes(StandardCharsets.US_ASCII));
			JsonNode node = Json.read(json);
			if (VERSION.equals(node.path("v").asString()) && node.path("rv").isNumber()
					&& node.path("start").isString()) {
				return new ContinueToken(node.path("rv").asLong(), node.path("start").asString());
			}
		}
		catch (IllegalArgumentException | JacksonException ex) {
			// Report it below, with the same message for every malformed token.
		}
		throw Statuses.badRequest("invalid continue token: continue key is not valid: \"" + text + "\"");
	}

	ContinueToken inconsistent() {
		return new ContinueToken(CURRENT, this.after);
	}

	String encode() {
		byte[] json = Json.write(Json.object().put("v", VERSION).put("rv", this.revision).put("start", this.after));
		return Base64.getUrlEncoder().withoutPadding().encodeToString(json);
	}

}
