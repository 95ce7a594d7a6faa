package dev.kubeinformer.internal.transport;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

import io.kubernetes.client.openapi.ApiException;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.internal.codec.ApiStatus;
import dev.kubeinformer.internal.codec.json.ModelJson;

/**
 * Classifier of the exceptions of the official client, whichever of its instances threw
 * them.
 */
final class WriteFailures {

	private WriteFailures() {
	}

	/**
	 * Classifies an exception.
	 * @param exception the exception
	 * @param json reads the answer
	 * @return the failure
	 */
	static Failure of(ApiException exception, ModelJson json) {
		if (exception.getCode() == 0) {
			Throwable cause = exception.getCause();
			return (cause instanceof IOException failure) ? Failure.of(failure)
					: Failure.unexpected((cause != null) ? cause : exception);
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
		if (headers == null) {
			return null;
		}
		return headers.entrySet()
			.stream()
			.filter((header) -> header.getKey().equalsIgnoreCase("Retry-After"))
			.flatMap((header) -> header.getValue().stream())
			.filter((value) -> value.matches("\\d{1,6}"))
			.map(Integer::valueOf)
			.findFirst()
			.orElse(null);
	}

}
