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
 * Feeds a queue with the keys of the primaries of unowned objects that become unreadable
 * or readable. An event handler delivers all other changes.
 *
 * @param <C> the model class
 */
public final class UnownedSink<C extends KubernetesObject> implements DeltaSink<C> {

	private final KeyFeed feed;

	private final WatchedResource.Mapper<C> primaries;

	/**
	 * Creates a sink.
	 * @param feed the queue
	 * @param primaries returns the primary of an object; never a user's mapper, because
	 * it is called under the lock of the store
	 */
	public UnownedSink(KeyFeed feed, WatchedResource.Mapper<C> primaries) {
		this.feed = feed;
		this.primaries = primaries;
	}

	// Only the last readable state shows to which primary an object belonged.
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
			// Another client has written an annotation that does not identify a primary.
			return;
		}
	}

}
