package dev.kubeinformer.spring.handler;

import dev.kubeinformer.controller.ReconcileRun;
import dev.kubeinformer.controller.ReconcilerContainer;
import dev.kubeinformer.handler.ResourceEvent;

/**
 * Callback for exhausted events of handlers, which have no further attempt, and for
 * failed runs of reconcilers. All handlers and reconcilers use a bean of this type,
 * unless there are several and none is primary.
 * {@code @InformerHandler(errorHandler = ...)} and
 * {@code kubernetes.informers.handlers.<id>.error-handler} select another one for a
 * handler.
 */
@FunctionalInterface
public interface InformerErrorHandler {

	/**
	 * Handles one exhausted event on a worker of the failed handler. Called once per
	 * event, before any later event of the same object. The failure has been logged. An
	 * exception of this method is logged, too, and otherwise ignored. This method may
	 * pause or stop the handler; otherwise the handler receives the next event or resync
	 * of the object as usual.
	 * @param event the event as it was last delivered
	 * @param failure the exception of the last attempt, of the handler's method or of its
	 * condition
	 * @param handler the handler that failed
	 */
	void handle(ResourceEvent<?> event, Throwable failure, InformerHandlerContainer handler);

	/**
	 * Handles one failed run of a reconciler, on the worker of the run. Called for each
	 * attempt. The failure has been logged, and the run is retried unless the reconciler
	 * gave up. Conflicts are not failures. Does nothing by default.
	 * @param run the run with its exception
	 * @param reconciler the reconciler that failed
	 */
	default void handleRun(ReconcileRun run, ReconcilerContainer reconciler) {
	}

}
