package dev.kubeinformer.spring.handler;

import dev.kubeinformer.controller.ReconcileRun;
import dev.kubeinformer.controller.ReconcilerContainer;
import dev.kubeinformer.handler.ResourceEvent;

/**
 * Callback for events that are given up: a handler failed on them, and no further attempt
 * is due; and for failed runs of reconcilers. A bean of this type is used by all handlers
 * and reconcilers, unless there are several of which none is primary;
 * {@code @InformerHandler(errorHandler = ...)} and
 * {@code kubernetes.informers.handlers.<id>.error-handler} name another one for a
 * handler.
 */
@FunctionalInterface
public interface InformerErrorHandler {

	/**
	 * Takes one event, on the worker of the handler that failed: once for each, and
	 * before any later event of the same object. The failure is logged already. What is
	 * thrown here is logged too and ends nothing. The handler may be paused or stopped
	 * from here; the next event or resync of the object is handed to it again otherwise.
	 * @param event the event as it was handed over last
	 * @param failure the exception of the last attempt, of the handler's method itself or
	 * of its condition
	 * @param handler the handler that failed
	 */
	void handle(ResourceEvent<?> event, Throwable failure, InformerHandlerContainer handler);

	/**
	 * Takes one failed run of a reconciler, on the worker that it failed on, each attempt
	 * by itself. It is logged already and, unless the reconciler gave up, tried again.
	 * Conflicts are no failures. Does nothing by default.
	 * @param run the run, with what it threw
	 * @param reconciler the reconciler that failed
	 */
	default void handleRun(ReconcileRun run, ReconcilerContainer reconciler) {
	}

}
