package dev.kubeinformer.internal.http;

import java.util.function.BiConsumer;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.controller.RunScope;

/**
 * Observes the writes of a run, for example for a trace. Neither an observer nor the
 * scopes that it returns throw exceptions.
 */
@FunctionalInterface
public interface WriteObserver {

	/** Observer that does nothing. */
	WriteObserver NONE = (write, headers) -> null;

	/**
	 * Called before a write is sent.
	 * @param write the write
	 * @param headers sets a header of the request
	 * @return a scope that is told how the write ends; {@code null} for none
	 */
	RunScope.@Nullable WriteScope writing(RunScope.Write write, BiConsumer<String, String> headers);

}
