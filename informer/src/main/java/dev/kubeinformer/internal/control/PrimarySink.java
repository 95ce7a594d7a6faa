package dev.kubeinformer.internal.control;

import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.internal.store.Delta;
import dev.kubeinformer.internal.store.DeltaSink;
import dev.kubeinformer.internal.store.StoredObject;
import dev.kubeinformer.types.ObjectKey;

/**
 * Feeds a queue with the keys of changed primaries.
 *
 * @param <T> the model class
 */
public final class PrimarySink<T extends KubernetesObject> implements DeltaSink<T> {

	private final KeyFeed feed;

	private final PrimaryTrigger trigger;

	/**
	 * Creates a sink.
	 * @param feed the queue
	 * @param trigger which updates lead to a run
	 */
	public PrimarySink(KeyFeed feed, PrimaryTrigger trigger) {
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
		else if (this.trigger == PrimaryTrigger.ALL
				|| (this.trigger == PrimaryTrigger.CONTENT && !delta.statusOnly())) {
			changed(key, delta);
		}
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

	@Override
	public void initialStateComplete() {
		// What waits for the caches has a sink of its own.
	}

	@Override
	public void initialStateReset() {
		// The same.
	}

}
