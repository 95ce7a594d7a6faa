package dev.kubeinformer.sample;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.stereotype.Component;

import dev.kubeinformer.controller.ReconcileRun;
import dev.kubeinformer.controller.ReconcilerContainer;
import dev.kubeinformer.controller.ReconcilerListener;
import dev.kubeinformer.sample.page.LiveFeed;

/**
 * Listener that shows every run of a reconciler.
 */
@Component
class ReconcilerActivity implements ReconcilerListener {

	private final ObjectProvider<LiveFeed> page;

	ReconcilerActivity(ObjectProvider<LiveFeed> page) {
		// The page depends on the reconcilers, which are created with this listener.
		this.page = page;
	}

	@Override
	public void ran(ReconcilerContainer reconciler, ReconcileRun run) {
		String attempt = (run.attempt() > 1) ? "attempt %d, ".formatted(run.attempt()) : "";
		String failure = (run.error() != null) ? ": " + run.error().getClass().getSimpleName() : "";
		this.page.getObject()
			.show(reconciler.id(), run.outcome().name(), run.key().toString(),
					"%s%d ms%s".formatted(attempt, run.duration().toMillis(), failure));
	}

}
