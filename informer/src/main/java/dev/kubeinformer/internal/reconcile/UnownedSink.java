package dev.kubeinformer.internal.reconcile;

import java.util.stream.Stream;

import io.kubernetes.client.common.KubernetesObject;

import dev.kubeinformer.controller.WatchedResource;
import dev.kubeinformer.internal.store.DeltaSink;
import dev.kubeinformer.internal.store.QuarantineChange;
import dev.kubeinformer.internal.store.StoredObject;
import dev.kubeinformer.internal.workqueue.KeyFeed;
import dev.kubeinformer.types.ObjectKey;

/**
 * Feeds a queue with the keys of the primaries of unowned objects that cannot be read any
 * more, or can be again. All other changes an event handler brings.
 *
 * @param <C> the model class
 */
public final class UnownedSink<C extends KubernetesObject> implements DeltaSink<C> {

	private final KeyFeed feed;

	private final WatchedResource.Mapper<C> primaries;

	/**
	 * Creates a sink.
	 * @param feed the queue
	 * @param primaries gives the primary of an object; none of a user, as it is called
	 * under the lock of the store
	 */
	public UnownedSink(KeyFeed feed, WatchedResource.Mapper<C> primaries) {
		this.feed = feed;
		this.primaries = primaries;
	}

	// Whose it was, only its last readable state says.
	@Override
	public void quarantined(QuarantineChange<C> change) {
		StoredObject<C> cached = change.cached();
		if (cached == null) {
			return;
		}
		try (Stream<ObjectKey> keys = this.primaries.map(cached.object())) {
			keys.forEach((key) -> this.feed.changed(key, SinkLanes.of(change)));
		}
		catch (Exception ex) {
			// Somebody has written an annotation that names no primary.
			return;
		}
	}

}
