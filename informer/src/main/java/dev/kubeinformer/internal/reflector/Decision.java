package dev.kubeinformer.internal.reflector;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.types.InformerState;

/**
 * What to do next.
 *
 * @param state the state from now on
 * @param step the next request
 * @param pause the wait before it
 * @param condition what to show meanwhile; {@code null} to leave it as it is
 */
record Decision(ReflectorState state, Step step, Pause pause, @Nullable InformerState condition) {

	/**
	 * The requests.
	 */
	enum Step {

		/** A list, streamed or in pages, as the state says. */
		START,

		/** A streaming list, which then is the watch. */
		STREAM,

		/** A list in pages. */
		LIST,

		/** A question for the server's version, before a watch. */
		PROBE,

		/** A watch. */
		WATCH

	}

}
