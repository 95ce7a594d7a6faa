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
 * Feeds a queue with the keys of changed primaries.
 *
 * @param <T> the model class
 */
public final class EnqueuePrimary<T extends KubernetesObject> implements DeltaSink<T> {

	private final KeyFeed feed;

	private final Trigger trigger;

	/**
	 * Creates a sink.
	 * @param feed the queue
	 * @param trigger which updates lead to a run
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

	// A quarantined object gets a run that fails with the reason, and a released one a
	// run whatever has changed. A deletion shows in the metadata.
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

	// Somebody who writes the status of an object again and again gives it no run.
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

	/**
	 * Which updates of a primary lead to a run. A new deletionTimestamp always does.
	 */
	public enum Trigger {

		/** All of them. */
		ALL,

		/** Those that change anything but the status. */
		CONTENT,

		/** None, because a condition of the user decides elsewhere. */
		NONE

	}

}
