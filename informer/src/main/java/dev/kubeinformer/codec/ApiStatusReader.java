package dev.kubeinformer.codec;

import java.util.ArrayList;
import java.util.List;

import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Reads {@code Status} objects.
 */
final class ApiStatusReader {

	private ApiStatusReader() {
	}

	static ApiStatus read(JsonMapper mapper, byte[] body, int fallbackCode) {
		JsonNode status;
		try {
			status = mapper.readTree(body);
		}
		catch (JacksonException ex) {
			// A proxy answers in HTML or plain text; its HTTP status is all there is to
			// know.
			status = mapper.missingNode();
		}
		JsonNode details = status.path("details");
		List<String> causes = new ArrayList<>();
		for (JsonNode cause : details.path("causes")) {
			causes.add(cause.path("reason").asString("") + ":" + cause.path("message").asString(""));
		}
		int retryAfter = details.path("retryAfterSeconds").asInt(0);
		return new ApiStatus(status.path("code").asInt(fallbackCode), status.path("reason").asString(""),
				status.path("message").asString(""), String.join(",", causes), (retryAfter > 0) ? retryAfter : null);
	}

}
