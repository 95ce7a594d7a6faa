package dev.kubeinformer.internal.codec.json;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.internal.codec.ApiStatus;
import dev.kubeinformer.internal.codec.MalformedResponseException;
import dev.kubeinformer.internal.codec.pool.KnownValues;

/** Reads {@code Status} objects. */
final class ApiStatusReader {

	private static final String TLS_EXPECTED = "the API server speaks TLS at this port; begin the URL with https://";

	private ApiStatusReader() {
	}

	static ApiStatus read(JsonMappers mappers, byte[] body, int fallbackCode) {
		Map<?, ?> status;
		try {
			status = map(mappers.readUntyped(body, 0, body.length, new KnownValues()));
		}
		catch (MalformedResponseException ex) {
			// A proxy responds in HTML or plain text, so only its HTTP status is known.
			status = isRefusedPlainHttp(body) ? Map.of("reason", "TlsExpected", "message", TLS_EXPECTED) : Map.of();
		}
		Map<?, ?> details = map(status.get("details"));
		List<String> causes = new ArrayList<>();
		if (details.get("causes") instanceof List<?> list) {
			for (Object cause : list) {
				causes.add(text(map(cause), "reason") + ":" + text(map(cause), "message"));
			}
		}
		int retryAfter = number(details, "retryAfterSeconds", 0);
		// Go omits a code of zero; other servers write the zero.
		int code = number(status, "code", 0);
		return new ApiStatus((code > 0) ? code : fallbackCode, text(status, "reason"), text(status, "message"),
				String.join(",", causes), (retryAfter > 0) ? retryAfter : null);
	}

	private static boolean isRefusedPlainHttp(byte[] body) {
		// Go's server and nginx respond with these messages.
		String text = new String(body, StandardCharsets.ISO_8859_1);
		return text.contains("Client sent an HTTP request to an HTTPS server")
				|| text.contains("The plain HTTP request was sent to HTTPS port");
	}

	private static Map<?, ?> map(@Nullable Object value) {
		return (value instanceof Map<?, ?> map) ? map : Map.of();
	}

	private static String text(Map<?, ?> map, String name) {
		return (map.get(name) instanceof String text) ? text : "";
	}

	private static int number(Map<?, ?> map, String name, int fallback) {
		return (map.get(name) instanceof Double number) ? number.intValue() : fallback;
	}

}
