package dev.kubeinformer.spring.reconciler;

import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.controller.ReconcileRun;
import dev.kubeinformer.controller.ReconcilerContainer;
import dev.kubeinformer.controller.ReconcilerListener;
import dev.kubeinformer.controller.RunOutcome;
import dev.kubeinformer.spring.handler.InformerErrorHandler;

/**
 * Listener that passes failed runs to the application's {@link InformerErrorHandler}.
 */
final class ErrorHandlerListener implements ReconcilerListener {

	private final Supplier<@Nullable InformerErrorHandler> errorHandler;

	/**
	 * Creates the listener.
	 * @param errorHandler gives the error handler; asked with each failure
	 */
	ErrorHandlerListener(Supplier<@Nullable InformerErrorHandler> errorHandler) {
		this.errorHandler = errorHandler;
	}

	@Override
	public void ran(ReconcilerContainer reconciler, ReconcileRun run) {
		if (run.error() != null && run.outcome() != RunOutcome.CONFLICT) {
			InformerErrorHandler handler = this.errorHandler.get();
			if (handler != null) {
				handler.handleRun(run, reconciler);
			}
		}
	}

}
