package dev.kubeinformer.internal.reflector;

import dev.kubeinformer.internal.reflector.Decision.Step;

/**
 * Decision on whether a complete list is stored, and on the next step.
 *
 * @param decision the next step
 * @param regression whether the list is known to be older than a state that the server
 * showed before
 * @param compareContent whether objects are compared by their content, because an equal
 * version does not prove that an object is unchanged
 */
record CompleteList(Decision decision, boolean regression, boolean compareContent) {

	/**
	 * Returns whether the list is stored.
	 * @return {@code true} if the list is stored, {@code false} if it is discarded
	 */
	boolean isStored() {
		return this.decision.step() == Step.WATCH;
	}

}
