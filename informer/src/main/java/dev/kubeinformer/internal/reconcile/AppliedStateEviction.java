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
 * Receives the changes of children, and drops the remembered applies of a child that was
 * deleted. Also drops them if the state of a child changes without a newer version. This
 * happens if the API server was restored from a backup and then assigns versions a second
 * time.
 *
 * @param <C> the model class
 */
public final class AppliedStateEviction<C extends KubernetesObject> implements DeltaSink<C> {

	private final AppliedStateCache applied;

	/**
	 * Creates a sink.
	 * @param applied the remembered applies
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
	public void evicted(StoredObject<C> object) {
		this.applied.forget(object.object());
	}

	@Override
	public void quarantined(QuarantineChange<C> change) {
		UnreadableObject before = change.before();
		// No deletion is delivered for an object that was never readable.
		if (before != null && change.after() == null && change.cached() == null) {
			this.applied.forget(before.metadata());
		}
	}

	private static boolean isRestored(StoredObject<?> before, @Nullable StoredObject<?> after) {
		return after != null && ResourceVersions.hasReached(before.resourceVersion(), after.resourceVersion());
	}

}
