package dev.kubeinformer.spring.handler;

import dev.kubeinformer.controller.ReconcileRun;
import dev.kubeinformer.controller.ReconcilerContainer;
import dev.kubeinformer.handler.ResourceEvent;

/**
 * Callback for exhausted events of handlers and for failed runs of reconcilers. An event
 * is exhausted when its last attempt has failed. All handlers and reconcilers use the
 * bean of this type. If there are several such beans, they use the primary bean, or none
 * if no bean is primary. For a single handler,
 * {@code @InformerHandler(errorHandler = ...)} and
 * {@code kubernetes.informers.handlers.<id>.error-handler} select another bean.
 */
@FunctionalInterface
public interface InformerErrorHandler {

	/**
	 * Handles one exhausted event on a worker of the failed handler. Called once per
	 * event, before any later event of the same object. The failure was logged before. An
	 * exception of this method is only logged. This method may pause or stop the handler;
	 * otherwise the handler receives the next event or resync of the object as usual.
	 * @param event the event as it was last delivered
	 * @param failure the exception of the last attempt, of the handler's method or of its
	 * condition
	 * @param handler the handler that failed
	 */
	void handle(ResourceEvent<?> event, Throwable failure, InformerHandlerContainer handler);

	/**
	 * Handles one failed run of a reconciler, on the worker of the run. Called for each
	 * failed attempt, after its failure was logged. The run is retried unless the
	 * reconciler has given it up. A run that ends with a conflict does not count as
	 * failed. Does nothing by default.
	 * @param run the run with its exception
	 * @param reconciler the reconciler that failed
	 */
	default void handleRun(ReconcileRun run, ReconcilerContainer reconciler) {
	}

}
