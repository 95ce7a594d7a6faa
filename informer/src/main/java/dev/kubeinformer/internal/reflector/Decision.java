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
 * @param state the reflector's state from now on
 * @param step the next request
 * @param pause the wait before the next request
 * @param condition the informer's state to report from now on; {@code null} to leave it
 * unchanged
 */
record Decision(ReflectorState state, Step step, Pause pause, @Nullable InformerState condition) {

	/**
	 * Requests a full state, as a stream or in pages.
	 * @param state the state
	 * @return a decision that neither waits nor changes the reported state
	 */
	static Decision start(ReflectorState state) {
		return of(state, Step.START);
	}

	/**
	 * Requests a full state although the cache holds one.
	 * @param state the state
	 * @param reason the reason why the watch cannot continue
	 * @return a decision that neither waits nor changes the reported state
	 */
	static Decision relist(ReflectorState state, ListReason reason) {
		return start(state.listingBecause(reason));
	}

	/**
	 * Requests a full state in pages.
	 * @param state the state
	 * @return a decision that neither waits nor changes the reported state
	 */
	static Decision list(ReflectorState state) {
		return of(state, Step.LIST);
	}

	/**
	 * Watches from the version of the state.
	 * @param state the state
	 * @return a decision that neither waits nor changes the reported state
	 */
	static Decision watch(ReflectorState state) {
		return of(state, Step.WATCH);
	}

	/**
	 * Watches from the version of the state, or lists if it has none.
	 * @param state the state
	 * @return a decision that neither waits nor changes the reported state
	 */
	static Decision resume(ReflectorState state) {
		return of(state, state.versions().isResumable() ? Step.WATCH : Step.START);
	}

	/**
	 * Watches from the version of the state. If a probe is due, it requests the server's
	 * version first.
	 * @param state the state
	 * @return a decision that neither waits nor changes the reported state
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
	 * Adds a wait before the next request: the backoff, or the time that the server asks
	 * for if that is longer.
	 * @param failure the failure
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
	 * Describes the next step, for messages.
	 * @return a phrase that follows "it will"
	 */
	String inWords() {
		return switch (this.step) {
			case START, STREAM, LIST -> "list again";
			case PROBE, WATCH -> "watch again from resourceVersion " + PrintableText.of(this.state.versions().last());
		};
	}

	/** Kind of a request. */
	enum Step {

		/**
		 * A list of all objects. The reflector decides whether to stream it or to read it
		 * in pages.
		 */
		START,

		/** A streaming list, which continues as the watch. */
		STREAM,

		/** A list in pages. */
		LIST,

		/** A request for the server's version, before a watch. */
		PROBE,

		/** A watch. */
		WATCH

	}

}
