package dev.kubeinformer.spring.console;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/**
 * Settings that the page reads before its first request to the endpoint
 * {@code informers}.
 *
 * @param application the name of the application; {@code null} if it has none
 * @param endpoint the address of the endpoint {@code informers}, relative to the folder
 * of the console; {@code null} if the endpoint is not exposed
 * @param writable whether that endpoint has a write operation
 */
record ConsoleSettings(@Nullable String application, @Nullable String endpoint,
		boolean writable) implements OperationResponseBody {

}
