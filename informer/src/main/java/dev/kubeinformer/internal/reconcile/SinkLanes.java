package dev.kubeinformer.internal.reconcile;

import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.controller.QueueLane;
import dev.kubeinformer.internal.store.Delta;
import dev.kubeinformer.internal.store.QuarantineChange;
import dev.kubeinformer.internal.store.StoredObject;
import dev.kubeinformer.internal.workqueue.KeyCause;

/**
 * Decides in which lane of the work queue a change queues a key, and describes the
 * change. Objects of a first list wait in a later lane than live changes.
 */
final class SinkLanes {

	private SinkLanes() {
	}

	static QueueLane of(Delta<?> delta) {
		return (delta.initial() || delta.firstList()) ? QueueLane.INITIAL : QueueLane.LIVE;
	}

	static QueueLane of(QuarantineChange<?> change) {
		return change.firstList() ? QueueLane.INITIAL : QueueLane.LIVE;
	}

	static KeyCause cause(Delta<? extends KubernetesObject> delta) {
		return KeyCause.of(object(delta.before()), object(delta.after()));
	}

	private static @Nullable KubernetesObject object(@Nullable StoredObject<? extends KubernetesObject> stored) {
		return (stored != null) ? stored.object() : null;
	}

}
