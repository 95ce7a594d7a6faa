package dev.kubeinformer.internal.reflector;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.internal.failure.Failure;
import dev.kubeinformer.internal.text.PrintableText;
import dev.kubeinformer.types.InformerState;
import dev.kubeinformer.types.ListReason;
import dev.kubeinformer.types.Problem;

/**
 * Next step of a reflector.
 *
 * @param state the state from now on
 * @param step the next request
 * @param pause the wait before it
 * @param condition what to show meanwhile; {@code null} to leave it as it is
 */
record Decision(ReflectorState state, Step step, Pause pause, @Nullable InformerState condition) {

	/**
	 * Asks for a full state, in the way that fits the server.
	 * @param state the state
	 * @return the decision, at once and without showing anything
	 */
	static Decision start(ReflectorState state) {
		return of(state, Step.START);
	}

	/**
	 * Asks for a full state although there is one.
	 * @param state the state
	 * @param reason why the watch cannot go on
	 * @return the decision, at once and without showing anything
	 */
	static Decision relist(ReflectorState state, ListReason reason) {
		return start(state.listingBecause(reason));
	}

	/**
	 * Asks for a full state in pages.
	 * @param state the state
	 * @return the decision, at once and without showing anything
	 */
	static Decision list(ReflectorState state) {
		return of(state, Step.LIST);
	}

	/**
	 * Watches from the version of the state.
	 * @param state the state
	 * @return the decision, at once and without showing anything
	 */
	static Decision watch(ReflectorState state) {
		return of(state, Step.WATCH);
	}

	/**
	 * Watches from the version of the state. What has no version is listed.
	 * @param state the state
	 * @return the decision, at once and without showing anything
	 */
	static Decision resume(ReflectorState state) {
		return of(state, state.versions().isResumable() ? Step.WATCH : Step.START);
	}

	/**
	 * Asks for the server's version if that is due, and watches from that of the state.
	 * @param state the state
	 * @return the decision, at once and without showing anything
	 */
	static Decision probeOrResume(ReflectorState state) {
		Decision resume = resume(state);
		return (state.doubts().probeDue() && resume.step() == Step.WATCH) ? of(state, Step.PROBE) : resume;
	}

	static Decision of(ReflectorState state, Step step) {
		return new Decision(state, step, Pause.NONE, null);
	}

	Decision after(Pause wait) {
		return new Decision(this.state, this.step, wait, this.condition);
	}

	Decision afterBackoff() {
		return after(Pause.backoff(this.state.failures().count(), Duration.ZERO));
	}

	/**
	 * Waits before the next request, as long as the server asks at least.
	 * @param failure what went wrong
	 * @return the decision
	 */
	Decision afterBackoff(Failure failure) {
		int failures = this.state.failures().count();
		return after((failure.problem() == Problem.REFUSED_CONNECTION) ? Pause.reconnect(failures)
				: Pause.backoff(failures, failure.retryAfter()));
	}

	Decision showing(InformerState shown) {
		return new Decision(this.state, this.step, this.pause, shown);
	}

	boolean isAtOnce() {
		return this.pause.equals(Pause.NONE);
	}

	/**
	 * Returns what comes next, for people.
	 * @return words that follow "it will"
	 */
	String inWords() {
		return switch (this.step) {
			case START, STREAM, LIST -> "list again";
			case PROBE, WATCH -> "watch again from resourceVersion " + PrintableText.of(this.state.versions().last());
		};
	}

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
