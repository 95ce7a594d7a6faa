package dev.kubeinformer.internal.workqueue;

import java.util.function.BiConsumer;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.controller.RunScope;
import dev.kubeinformer.internal.http.WriteObserver;

/**
 * Observation of the time in which a worker handles a key, for example by a span of a
 * trace. All methods are called by that worker, and none throws an exception.
 */
public interface RunObservation extends WriteObserver {

	/** Observation without effect. */
	RunObservation NONE = new RunObservation() {
	};

	/**
	 * Called before the first request of the run, or before its failure is reported if it
	 * has sent none. Further calls have no effect.
	 */
	default void begin() {
	}

	@Override
	default RunScope.@Nullable WriteScope writing(RunScope.Write write, BiConsumer<String, String> headers) {
		return null;
	}

	/**
	 * Called when the key is parked: the run takes place later.
	 */
	default void postponed() {
	}

	/**
	 * Ends the observation, after the end of the run was reported. Further calls have no
	 * effect.
	 */
	default void close() {
	}

}
