package dev.kubeinformer.internal.http;

import java.util.function.BiConsumer;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.controller.RunScope;

/**
 * Observer of the writes of a run, for example for a trace. Neither an observer nor its
 * scopes throw exceptions.
 */
@FunctionalInterface
public interface WriteObserver {

	/** Observer without effect. */
	WriteObserver NONE = (write, headers) -> null;

	/**
	 * Called before a write is sent.
	 * @param write the write
	 * @param headers sets a header of the request
	 * @return the scope of the write; {@code null} for none
	 */
	RunScope.@Nullable WriteScope writing(RunScope.Write write, BiConsumer<String, String> headers);

}
