package dev.kubeinformer.internal.transport;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import io.kubernetes.client.openapi.ApiException;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.internal.codec.ApiStatus;
import dev.kubeinformer.internal.codec.json.ModelJson;
import dev.kubeinformer.internal.failure.Failure;
import dev.kubeinformer.internal.http.Redirects;

/**
 * Classifies exceptions of the official client, whether a client of this library or of
 * the application has thrown them.
 */
final class WriteFailures {

	private WriteFailures() {
	}

	/**
	 * Classifies an exception.
	 * @param exception the exception
	 * @param json reads the response
	 * @return the failure
	 */
	static Failure of(ApiException exception, ModelJson json) {
		if (exception.getCode() == 0) {
			Throwable cause = exception.getCause();
			return (cause instanceof IOException failure) ? Failure.of(failure)
					: Failure.unexpected((cause != null) ? cause : exception);
		}
		ApiStatus redirect = Redirects.status(exception.getCode(),
				header(exception.getResponseHeaders(), "Location").findFirst().orElse(null), null);
		if (redirect != null) {
			return Failure.of(redirect);
		}
		String body = exception.getResponseBody();
		ApiStatus status = json.readStatus(exception.getCode(),
				(body != null) ? body.getBytes(StandardCharsets.UTF_8) : new byte[0]);
		Integer retryAfter = retryAfter(exception.getResponseHeaders());
		return Failure.of((retryAfter != null)
				? new ApiStatus(status.code(), status.reason(), status.message(), status.causes(), retryAfter)
				: status);
	}

	private static @Nullable Integer retryAfter(@Nullable Map<String, List<String>> headers) {
		return header(headers, "Retry-After").filter((value) -> value.matches("\\d{1,6}"))
			.map(Integer::valueOf)
			.findFirst()
			.orElse(null);
	}

	private static Stream<String> header(@Nullable Map<String, List<String>> headers, String name) {
		if (headers == null) {
			return Stream.empty();
		}
		return headers.entrySet()
			.stream()
			.filter((header) -> header.getKey().equalsIgnoreCase(name))
			.flatMap((header) -> header.getValue().stream());
	}

}
