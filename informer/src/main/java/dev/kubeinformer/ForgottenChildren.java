package dev.kubeinformer;

import io.kubernetes.client.common.KubernetesObject;

import dev.kubeinformer.internal.control.AppliedStates;
import dev.kubeinformer.internal.store.Delta;
import dev.kubeinformer.internal.store.DeltaSink;
import dev.kubeinformer.internal.store.StoredObject;

/**
 * Sink that drops what is remembered of children that are gone.
 *
 * @param <C> the model class
 */
final class ForgottenChildren<C extends KubernetesObject> implements DeltaSink<C> {

	private final AppliedStates applied;

	ForgottenChildren(AppliedStates applied) {
		this.applied = applied;
	}

	@Override
	public void delta(Delta<C> delta) {
		StoredObject<C> gone = delta.before();
		if (delta.kind() == Delta.Kind.DELETED && gone != null) {
			this.applied.forget(gone.object());
		}
	}

	@Override
	public void resync(StoredObject<C> object) {
		// Nothing is gone.
	}

	@Override
	public void initialStateComplete() {
		// Nothing is gone.
	}

	@Override
	public void initialStateReset() {
		// What is gone meanwhile is a deletion of the next list.
	}

}
