package dev.kubeinformer.internal.reconcile;

import java.util.Objects;

import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.internal.store.Delta;
import dev.kubeinformer.internal.store.DeltaSink;
import dev.kubeinformer.internal.store.QuarantineChange;
import dev.kubeinformer.internal.store.StoredObject;
import dev.kubeinformer.internal.store.UnreadableObject;
import dev.kubeinformer.internal.workqueue.KeyFeed;
import dev.kubeinformer.types.ObjectKey;

/**
 * Adds the keys of changed primaries to a queue.
 *
 * @param <T> the model class
 */
public final class EnqueuePrimary<T extends KubernetesObject> implements DeltaSink<T> {

	private final KeyFeed feed;

	private final Trigger trigger;

	/**
	 * Creates a sink.
	 * @param feed the queue
	 * @param trigger selects the updates that cause a run
	 */
	public EnqueuePrimary(KeyFeed feed, Trigger trigger) {
		this.feed = feed;
		this.trigger = trigger;
	}

	@Override
	public void delta(Delta<T> delta) {
		ObjectKey key = delta.subject().key();
		switch (delta.kind()) {
			case ADDED -> changed(key, delta);
			case UPDATED -> updated(key, delta);
			case DELETED -> this.feed.deleted(key);
		}
	}

	private void updated(ObjectKey key, Delta<T> delta) {
		if (isBeingDeleted(delta.after()) && !isBeingDeleted(delta.before())) {
			this.feed.deleted(key);
		}
		else if (this.trigger == Trigger.ALL || (this.trigger == Trigger.CONTENT && !delta.statusOnly())) {
			changed(key, delta);
		}
	}

	// A quarantined object gets a run, which fails with the reason. An object that has
	// become readable again gets a run, whatever has changed. A deletion is visible in
	// the metadata.
	@Override
	public void quarantined(QuarantineChange<T> change) {
		UnreadableObject before = change.before();
		UnreadableObject after = change.after();
		boolean wasDeleted = (before != null) ? before.isBeingDeleted() : isBeingDeleted(change.cached());
		if (after != null && after.isBeingDeleted() && !wasDeleted) {
			this.feed.deleted(change.key());
		}
		else if (before == null || after == null || !isAlike(before, after)) {
			this.feed.changed(change.key(), SinkLanes.of(change));
		}
	}

	// Repeated writes of the status must not cause runs of a quarantined object.
	private static boolean isAlike(UnreadableObject before, UnreadableObject after) {
		return before.problem().equals(after.problem()) && before.uid().equals(after.uid()) && Objects
			.equals(before.metadata().getMetadata().getFinalizers(), after.metadata().getMetadata().getFinalizers());
	}

	private void changed(ObjectKey key, Delta<T> delta) {
		this.feed.changed(key, SinkLanes.of(delta), SinkLanes.cause(delta));
	}

	private boolean isBeingDeleted(@Nullable StoredObject<T> stored) {
		V1ObjectMeta metadata = (stored != null) ? stored.object().getMetadata() : null;
		return metadata != null && metadata.getDeletionTimestamp() != null;
	}

	@Override
	public void resync(StoredObject<T> object) {
		this.feed.resync(object.key());
	}

	/** Updates of a primary that cause a run. A new deletionTimestamp always does. */
	public enum Trigger {

		/** All updates. */
		ALL,

		/** Updates that change more than the status. */
		CONTENT,

		/**
		 * No updates: another class evaluates a condition of the application.
		 */
		NONE

	}

}
