package dev.kubeinformer.spring.console;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/**
 * What the console must know before it asks the endpoint {@code informers}.
 *
 * @param application the name of the application; {@code null} if it has none
 * @param endpoint the address of the endpoint {@code informers}, relative to this
 * document; {@code null} if it is not exposed
 * @param writable whether that endpoint can do something, and not only show
 */
record ConsoleSettings(@Nullable String application, @Nullable String endpoint,
		boolean writable) implements OperationResponseBody {

}
