package dev.kubeinformer.spring.console;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/**
 * Settings of the page, which it reads before its first request to the endpoint
 * {@code informers}.
 *
 * @param application the name of the application; {@code null} if it has none
 * @param endpoint the address of the endpoint {@code informers}, relative to this
 * document; {@code null} if it is not exposed
 * @param writable whether that endpoint has a write operation
 */
record ConsoleSettings(@Nullable String application, @Nullable String endpoint,
		boolean writable) implements OperationResponseBody {

}
