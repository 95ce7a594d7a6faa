package dev.kubeinformer.controller;

import java.util.function.BiConsumer;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.types.ObjectKey;
import dev.kubeinformer.types.Problem;

/**
 * Observes one run of a reconciler, for example for tracing. A {@link ReconcilerListener}
 * returns it when the run begins. The scope includes the requests for the finalizer, the
 * call of the reconciler or its cleanup, and the logging of a failure. The thread of the
 * run calls the methods. An exception that a method throws is logged and does not fail
 * the run.
 */
public interface RunScope extends AutoCloseable {

	/**
	 * Called before the run sends a write: an apply, create, patch, update or delete. The
	 * run itself or the starter's {@code ApiClient} sends it.
	 * @param write the write
	 * @param headers sets a header of the request, such as a trace context
	 * @return the scope of the write; {@code null} to not observe it
	 */
	default @Nullable WriteScope writing(Write write, BiConsumer<String, String> headers) {
		return null;
	}

	/**
	 * Called when the outcome of the run is known, before a failure is logged. Not called
	 * if a stop or the end of a term has ended the run, or if the run is postponed until
	 * its own writes are seen.
	 * @param run the run
	 */
	default void ended(ReconcileRun run) {
	}

	/**
	 * Called exactly once, when the failure has been logged and listeners were notified
	 * of the end.
	 */
	@Override
	void close();

	/**
	 * Run that is about to begin.
	 *
	 * @param key the key of the primary
	 * @param attempt the number of the attempt, from 1
	 * @param cleanup {@code true} if the object is being deleted, so that its cleanup
	 * runs
	 * @param origin the object that {@link ReconcilerListener#triggering} returned for
	 * the first trigger of the run; {@code null} if a change or a retry led to it
	 */
	record Start(ObjectKey key, int attempt, boolean cleanup, @Nullable Object origin) {

	}

	/**
	 * Write of a run.
	 *
	 * @param verb {@code create}, {@code apply}, {@code patch}, {@code update} or
	 * {@code delete}
	 * @param resource the plural and group of the resource, and the subresource, such as
	 * {@code deployments.apps/status}
	 * @param key the object; the name is empty if the request does not contain it
	 */
	record Write(String verb, String resource, ObjectKey key) {

	}

	/**
	 * Observes one write of a run, until the write has ended.
	 */
	interface WriteScope extends AutoCloseable {

		/**
		 * Called when the API server has responded.
		 * @param status the HTTP status
		 */
		void answered(int status);

		/**
		 * Called when there is no response.
		 * @param problem the kind of the failure; {@code null} if the request was
		 * cancelled or not sent
		 * @param failure the exception
		 */
		void unanswered(@Nullable Problem problem, Throwable failure);

		/**
		 * Called when the write has ended.
		 */
		@Override
		void close();

	}

}
