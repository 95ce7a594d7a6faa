package dev.kubeinformer.internal.controller;

import java.util.concurrent.Executor;

import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.internal.reconcile.FinalizerWrites;
import dev.kubeinformer.internal.store.Delta;
import dev.kubeinformer.internal.store.DeltaSink;
import dev.kubeinformer.internal.store.QuarantineChange;
import dev.kubeinformer.internal.store.StoredObject;
import dev.kubeinformer.internal.store.UnreadableObject;

/**
 * Finds objects that do not match the selector of a reconciler any more but still have
 * its finalizer. They are only reported: they may match again later, or another
 * reconciler may select them now.
 *
 * @param <T> the model class
 */
final class DeselectedFinalizerSink<T extends KubernetesObject> implements DeltaSink<T> {

	private final FinalizerWrites<T> finalizers;

	private final ReconcilerReporter reports;

	private final Executor executor;

	DeselectedFinalizerSink(FinalizerWrites<T> finalizers, ReconcilerReporter reports, Executor executor) {
		this.finalizers = finalizers;
		this.reports = reports;
		this.executor = executor;
	}

	@Override
	public void delta(Delta<T> delta) {
		@Nullable StoredObject<T> last = (delta.kind() == Delta.Kind.DELETED) ? delta.last() : null;
		// An object that a list lacks may have been deleted.
		if (last != null && !delta.finalStateUnknown() && this.finalizers.isStranded(last)) {
			// Report without the store's lock.
			this.executor.execute(() -> this.reports.stranded(last.key()));
		}
	}

	@Override
	public void quarantined(QuarantineChange<T> change) {
		UnreadableObject before = change.before();
		if (before != null && change.gone() && this.finalizers.isStranded(before.stored())) {
			this.executor.execute(() -> this.reports.stranded(change.key()));
		}
	}

}
