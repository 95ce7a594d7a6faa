package dev.kubeinformer.internal.control;

import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.controller.QueueLane;
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

	private final KeyCauses causes;

	private final SourceSync sync;

	/**
	 * Creates a sink.
	 * @param feed the queue
	 * @param trigger which updates lead to a run
	 * @param causes takes the causes of live runs
	 * @param sync notified of full states
	 */
	public PrimarySink(KeyFeed feed, PrimaryTrigger trigger, KeyCauses causes, SourceSync sync) {
		this.feed = feed;
		this.trigger = trigger;
		this.causes = causes;
		this.sync = sync;
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
		QueueLane lane = SinkLanes.of(delta);
		if (lane == QueueLane.LIVE) {
			this.causes.caused(key, delta);
		}
		this.feed.changed(key, lane);
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
		this.sync.synced();
	}

	@Override
	public void initialStateReset() {
		this.sync.reset();
	}

}
