package dev.kubeinformer.internal.reconcile;

import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.Function;

import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.controller.QueueLane;
import dev.kubeinformer.internal.store.Delta;
import dev.kubeinformer.internal.store.DeltaSink;
import dev.kubeinformer.internal.store.QuarantineChange;
import dev.kubeinformer.internal.store.StoredObject;
import dev.kubeinformer.internal.store.UnreadableObject;
import dev.kubeinformer.internal.workqueue.KeyCause;
import dev.kubeinformer.internal.workqueue.KeyFeed;
import dev.kubeinformer.types.ObjectKey;

/**
 * Adds the keys of the owners of changed objects to a queue: the owners in the old and in
 * the new state of an object.
 *
 * @param <C> the model class
 */
public final class EnqueueOwner<C extends KubernetesObject> implements DeltaSink<C> {

	private final KeyFeed feed;

	private final Function<KubernetesObject, ? extends Collection<ObjectKey>> owners;

	EnqueueOwner(KeyFeed feed, Function<KubernetesObject, ? extends Collection<ObjectKey>> owners) {
		this.feed = feed;
		this.owners = owners;
	}

	@Override
	public void delta(Delta<C> delta) {
		Set<ObjectKey> keys = new LinkedHashSet<>(2);
		addOwners(delta.before(), keys);
		addOwners(delta.after(), keys);
		addOwners(delta.lastState(), keys);
		if (keys.isEmpty()) {
			return;
		}
		QueueLane lane = SinkLanes.of(delta);
		KeyCause cause = SinkLanes.cause(delta);
		for (ObjectKey key : keys) {
			this.feed.changed(key, lane, cause);
		}
	}

	private void addOwners(@Nullable StoredObject<C> stored, Set<ObjectKey> keys) {
		if (stored != null) {
			keys.addAll(this.owners.apply(stored.object()));
		}
	}

	// The owner of a quarantined object is queued as after any change.
	@Override
	public void quarantined(QuarantineChange<C> change) {
		Set<ObjectKey> keys = new LinkedHashSet<>(2);
		addOwners(change.before(), keys);
		addOwners(change.after(), keys);
		addOwners(change.cached(), keys);
		QueueLane lane = SinkLanes.of(change);
		for (ObjectKey key : keys) {
			this.feed.changed(key, lane);
		}
	}

	private void addOwners(@Nullable UnreadableObject unreadable, Set<ObjectKey> keys) {
		if (unreadable != null) {
			keys.addAll(this.owners.apply(unreadable.metadata()));
		}
	}

	@Override
	public void resync(StoredObject<C> object) {
		this.owners.apply(object.object()).forEach(this.feed::resync);
	}

}
