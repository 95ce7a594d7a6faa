package dev.kubeinformer.internal.workqueue;

import java.util.function.BiConsumer;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.controller.RunScope;
import dev.kubeinformer.internal.http.WriteObserver;

/**
 * Observes how a worker handles one key, for example as a trace span. The worker calls
 * all methods, and none throws an exception.
 */
public interface RunObservation extends WriteObserver {

	/** Observer that does nothing. */
	RunObservation NONE = new RunObservation() {
	};

	/**
	 * Called before the run sends its first request. If the run fails without a request,
	 * called before its failure is reported. Further calls have no effect.
	 */
	default void begin() {
	}

	@Override
	default RunScope.@Nullable WriteScope writing(RunScope.Write write, BiConsumer<String, String> headers) {
		return null;
	}

	/**
	 * Called when the key must wait for its own writes, so the run takes place later.
	 */
	default void postponed() {
	}

	/**
	 * Ends the observation. Called after the end of the run was reported. Further calls
	 * have no effect.
	 */
	default void close() {
	}

}
