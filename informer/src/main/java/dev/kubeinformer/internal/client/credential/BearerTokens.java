package dev.kubeinformer.internal.client.credential;

import java.time.DateTimeException;
import java.time.Instant;
import java.util.Base64;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Checks bearer tokens and creates their headers. Pure functions.
 */
final class BearerTokens {

	private static final JsonMapper JSON = JsonMapper.builder().build();

	private BearerTokens() {
	}

	/**
	 * Returns the value of the header {@code Authorization}.
	 * @param token the token
	 * @return the value
	 */
	static String header(String token) {
		return "Bearer " + token;
	}

	/**
	 * Returns the reason why a token cannot be sent. A header of HTTP must not contain
	 * line feeds and other control characters.
	 * @param token the token
	 * @return the reason, as the end of a sentence about the token; {@code null} if the
	 * token can be sent
	 */
	static @Nullable String problem(String token) {
		if (token.isBlank()) {
			return "is empty";
		}
		if (token.indexOf('\n') >= 0 || token.indexOf('\r') >= 0) {
			return "has more than one line, and a token has one";
		}
		if (token.chars().anyMatch((c) -> c < ' ' || c > '~')) {
			return "contains characters that a token cannot have";
		}
		return null;
	}

	/**
	 * Returns the expiry time that a token claims. The signature is not verified, because
	 * the time is only shown to people, and the API server decides whether the token has
	 * expired.
	 * @param token the token
	 * @return the time; {@code null} if the token is not a JWT or has no such claim
	 */
	static @Nullable Instant expires(String token) {
		String[] parts = token.split("\\.", -1);
		if (parts.length != 3) {
			return null;
		}
		try {
			JsonNode claim = JSON.readTree(Base64.getUrlDecoder().decode(parts[1])).path("exp");
			return claim.isNumber() ? Instant.ofEpochSecond((long) claim.doubleValue()) : null;
		}
		catch (IllegalArgumentException | JacksonException | DateTimeException ex) {
			return null;
		}
	}

}
