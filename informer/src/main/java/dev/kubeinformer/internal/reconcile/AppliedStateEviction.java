package dev.kubeinformer.internal.reconcile;

import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.internal.store.Delta;
import dev.kubeinformer.internal.store.DeltaSink;
import dev.kubeinformer.internal.store.QuarantineChange;
import dev.kubeinformer.internal.store.StoredObject;
import dev.kubeinformer.internal.store.UnreadableObject;
import dev.kubeinformer.internal.text.ResourceVersions;

/**
 * Sink that drops what is remembered of children that are gone, and of those that are
 * another state without a newer version: the API server was restored from a backup, and
 * gives versions a second time.
 *
 * @param <C> the model class
 */
public final class AppliedStateEviction<C extends KubernetesObject> implements DeltaSink<C> {

	private final AppliedStateCache applied;

	/**
	 * Creates a sink.
	 * @param applied what is remembered
	 */
	public AppliedStateEviction(AppliedStateCache applied) {
		this.applied = applied;
	}

	@Override
	public void delta(Delta<C> delta) {
		StoredObject<C> before = delta.before();
		if (before != null && (delta.kind() == Delta.Kind.DELETED || isRestored(before, delta.after()))) {
			this.applied.forget(before.object());
		}
	}

	@Override
	public void quarantined(QuarantineChange<C> change) {
		UnreadableObject before = change.before();
		// Of one that was never readable, no deletion tells.
		if (before != null && change.after() == null && change.cached() == null) {
			this.applied.forget(before.metadata());
		}
	}

	private static boolean isRestored(StoredObject<?> before, @Nullable StoredObject<?> after) {
		return after != null && ResourceVersions.hasReached(before.resourceVersion(), after.resourceVersion());
	}

}
