package dev.kubeinformer;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.internal.reflector.Listing;
import dev.kubeinformer.types.Shard;
import dev.kubeinformer.types.ShardKey;
import dev.kubeinformer.types.ShardMode;

/**
 * Notes of an informer on a shard: what came of other shards, and whether the API server
 * leaves them out itself. Nothing but the status depends on it. Safe for use by several
 * threads.
 * <p>
 * The server is believed by what it sends. An object of another shard, in a list or since
 * then, means {@link ShardMode#CLIENT}. A list that repeats the selector means
 * {@link ShardMode#SERVER}. kube-apiserver 1.36 repeats it in no streaming list, nor in
 * lists of custom resources and of metadata alone, although they are limited to the shard
 * too: such a list means {@link ShardMode#SERVER} if it holds so many objects, or
 * namespaces, of this shard that this is no chance, and leaves the mode as it was if it
 * holds less.
 */
final class ShardTracker {

	/** With two shards, one of a million complete lists looks like that. */
	private static final int NO_CHANCE = 20;

	private static final String BUILT_IN = "io.kubernetes.client.openapi.models";

	private final Shard shard;

	private final String selector;

	/** Whether a server that knows shards repeats the selector in its lists. */
	private final boolean repeated;

	private final Map<String, ShardMode> modes = new ConcurrentHashMap<>();

	private final LongAdder foreign = new LongAdder();

	private ShardTracker(Shard shard, boolean repeated) {
		this.shard = shard;
		this.selector = shard.selector();
		this.repeated = repeated;
	}

	static @Nullable ShardTracker of(InformerSpec<?> spec) {
		Shard shard = spec.shard();
		boolean repeated = !spec.type().isMetadata() && spec.type().objectClass().getPackageName().equals(BUILT_IN);
		return (shard != null) ? new ShardTracker(shard, repeated) : null;
	}

	void started() {
		this.modes.clear();
		this.foreign.reset();
	}

	void removed(String partition) {
		this.modes.remove(partition);
	}

	/**
	 * Notes an object of another shard in a list.
	 */
	void listedForeign() {
		this.foreign.increment();
	}

	/**
	 * Notes an event about an object of another shard.
	 * @param partition the partition
	 */
	void watchedForeign(String partition) {
		this.foreign.increment();
		this.modes.put(partition, ShardMode.CLIENT);
	}

	/**
	 * Decides on the mode by a complete list.
	 * @param partition the partition
	 * @param listing the list
	 * @param received how many objects it held of this and other shards
	 */
	void listed(String partition, Listing listing, Received received) {
		ShardMode mode = mode(listing.shardSelector(), received);
		if (mode != null) {
			this.modes.put(partition, mode);
		}
	}

	private @Nullable ShardMode mode(@Nullable String answered, Received received) {
		if (received.foreign() > 0) {
			return ShardMode.CLIENT;
		}
		if (this.selector.equals(answered)) {
			return ShardMode.SERVER;
		}
		if (answered != null && this.repeated) {
			return ShardMode.CLIENT;
		}
		int own = (this.shard.key() == ShardKey.UID) ? received.objects() : received.namespaces();
		return (own >= NO_CHANCE && this.shard.total() > 1) ? ShardMode.SERVER : null;
	}

	InformerStatus.Sharding status() {
		ShardMode mode = this.modes.isEmpty() ? null
				: this.modes.containsValue(ShardMode.CLIENT) ? ShardMode.CLIENT : ShardMode.SERVER;
		return new InformerStatus.Sharding(this.shard, mode, this.foreign.sum());
	}

	/**
	 * What a list held.
	 *
	 * @param objects the number of objects of this shard
	 * @param namespaces the number of namespaces that they are in
	 * @param foreign the number of objects of other shards
	 */
	record Received(int objects, int namespaces, long foreign) {

	}

}
