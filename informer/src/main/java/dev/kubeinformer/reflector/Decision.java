package dev.kubeinformer.reflector;

import org.jspecify.annotations.Nullable;

/**
 * What to do next.
 *
 * @param state the state from now on
 * @param step the next request
 * @param pause the wait before it
 * @param condition what to show meanwhile; {@code null} to leave it as it is
 */
record Decision(ReflectorState state, Step step, Pause pause, @Nullable Condition condition) {

	/**
	 * The requests.
	 */
	enum Step {

		LIST, WATCH

	}

}
