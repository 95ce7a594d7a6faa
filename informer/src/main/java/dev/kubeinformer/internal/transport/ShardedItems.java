package dev.kubeinformer.internal.transport;

import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.internal.codec.DecodedObject;
import dev.kubeinformer.internal.codec.KnownObjects;
import dev.kubeinformer.internal.codec.ListItems;
import dev.kubeinformer.internal.codec.ObjectIdentity;
import dev.kubeinformer.internal.codec.ObjectMetadata;
import dev.kubeinformer.internal.codec.ShardFilter;

/**
 * Receives the items of a list, and drops objects of other shards. The identity of an
 * object shows its shard. If the identity cannot be read from the bytes, the object is
 * decoded first.
 *
 * @param <T> the model class
 */
final class ShardedItems<T> implements ListItems<T>, KnownObjects {

	private final ShardFilter shard;

	private final ListItems<T> items;

	private @Nullable KnownObjects known;

	ShardedItems(ShardFilter shard, ListItems<T> items) {
		this.shard = shard;
		this.items = items;
	}

	@Override
	public void accept(DecodedObject<T> item) {
		if (this.shard.isForeign(item)) {
			foreign();
		}
		else {
			this.items.accept(item);
		}
	}

	@Override
	public void foreign() {
		this.items.foreign();
	}

	@Override
	public KnownObjects known() {
		this.known = this.items.known();
		return this;
	}

	@Override
	public boolean include(ObjectIdentity identity) {
		return drop(identity) || (this.known != null && this.known.include(identity));
	}

	@Override
	public Predicate<ObjectIdentity> dropped() {
		return this::drop;
	}

	private boolean drop(ObjectIdentity identity) {
		boolean foreign = this.shard.isForeign(identity);
		if (foreign) {
			foreign();
		}
		return foreign;
	}

	@Override
	public void exclude(ObjectMetadata metadata) {
		if (this.known != null) {
			this.known.exclude(metadata);
		}
	}

	@Override
	public void deleted(ObjectMetadata metadata) {
		if (this.known != null) {
			this.known.deleted(metadata);
		}
	}

	@Override
	public int size() {
		return (this.known != null) ? this.known.size() : 0;
	}

}
