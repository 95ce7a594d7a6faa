package dev.kubeinformer.internal.status;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.kubeinformer.informer.Informer;
import dev.kubeinformer.informer.InformerSpec;
import dev.kubeinformer.informer.InformerStatus;
import dev.kubeinformer.internal.reflector.Listing;
import dev.kubeinformer.types.Shard;
import dev.kubeinformer.types.ShardKey;
import dev.kubeinformer.types.ShardMode;

/**
 * Tracks the objects of other shards that an informer receives, and whether the API
 * server filters them. Only the status depends on this class. Thread-safe.
 * <p>
 * Each list decides anew. An object of another shard, in the list or in a later event,
 * means {@link ShardMode#CLIENT}. A list that repeats the selector means
 * {@link ShardMode#SERVER}. kube-apiserver 1.36 does not repeat it in streaming lists or
 * in lists of custom resources and metadata, although it filters them, too. Such a list
 * means {@link ShardMode#SERVER} if it contains too many objects, or namespaces, of this
 * shard to be a coincidence. If it contains fewer, the mode is unknown even if an earlier
 * list decided, because the server may have been restarted with another feature gate.
 */
public final class ShardTracker {

	private static final Logger logger = LoggerFactory.getLogger(Informer.class);

	/** Accepted probability that an unfiltered list looks filtered. */
	private static final double CHANCE = 1e-6;

	/**
	 * Number of last characters that are ignored when namespaces are counted. Names that
	 * differ only in these have close hashes, and are mostly in the same shard: FNV-1a
	 * carries a byte into the highest bits only with the third byte that follows.
	 */
	private static final int CLOSE = 3;

	private static final String BUILT_IN = "io.kubernetes.client.openapi.models";

	private final String id;

	private final Shard shard;

	/** Whether a server that supports shards repeats the selector in its lists. */
	private final boolean repeated;

	private final Map<String, ShardMode> modes = new ConcurrentHashMap<>();

	private final LongAdder foreign = new LongAdder();

	private volatile @Nullable ShardMode logged;

	private ShardTracker(String id, Shard shard, boolean repeated) {
		this.id = id;
		this.shard = shard;
		this.repeated = repeated;
	}

	static @Nullable ShardTracker of(String id, InformerSpec<?> spec) {
		Shard shard = spec.shard();
		boolean repeated = !spec.type().isMetadata() && spec.type().objectClass().getPackageName().equals(BUILT_IN);
		return (shard != null) ? new ShardTracker(id, shard, repeated) : null;
	}

	void started() {
		this.modes.clear();
		this.foreign.reset();
	}

	void removed(String partition) {
		this.modes.remove(partition);
	}

	/**
	 * Records an object of another shard in a list.
	 */
	public void listedForeign() {
		this.foreign.increment();
	}

	/**
	 * Records an event of an object of another shard.
	 * @param partition the partition
	 */
	public void watchedForeign(String partition) {
		this.foreign.increment();
		if (this.modes.put(partition, ShardMode.CLIENT) != ShardMode.CLIENT) {
			log();
		}
	}

	/**
	 * Records that the server was unavailable. It may have been replaced, or restarted
	 * with another feature gate, and a resumed watch does not list. The mode is unknown
	 * until the first object of another shard arrives or a list decides.
	 * @param partition the partition
	 */
	public void serverLost(String partition) {
		this.modes.remove(partition, ShardMode.CLIENT);
	}

	/**
	 * Derives the mode from a complete list.
	 * @param partition the partition
	 * @param listing the list
	 * @param received the numbers of its objects of this shard and of others
	 */
	public void listed(String partition, Listing listing, Received received) {
		ShardMode mode = decide(this.shard, this.repeated, listing.shardSelector(), received);
		if (mode != null) {
			this.modes.put(partition, mode);
			log();
		}
		else {
			this.modes.remove(partition);
		}
	}

	private void log() {
		ShardMode mode = status().mode();
		if (mode != null && mode != this.logged) {
			this.logged = mode;
			logger.info((mode == ShardMode.SERVER) ? "Informer '{}' uses shard {}: the API server sends only this shard"
					: "Informer '{}' uses shard {}: the API server sends all objects, and objects of "
							+ "other shards are dropped here",
					this.id, this.shard);
		}
	}

	/**
	 * Derives the mode from the selector and the objects of a list.
	 * @param shard the requested shard
	 * @param repeated {@code true} if a server that supports shards repeats the selector
	 * in lists of these objects
	 * @param answered the selector in the list, empty if there is none; {@code null} for
	 * a streaming list, which cannot have one
	 * @param received the objects of the list
	 * @return the mode; {@code null} if the list does not decide
	 */
	static @Nullable ShardMode decide(Shard shard, boolean repeated, @Nullable String answered, Received received) {
		if (received.foreign() > 0) {
			return ShardMode.CLIENT;
		}
		if (shard.selector().equals(answered)) {
			return ShardMode.SERVER;
		}
		if (answered != null && repeated) {
			return ShardMode.CLIENT;
		}
		long own = (shard.key() == ShardKey.UID) ? received.objects() : received.farNamespaces();
		return (Math.pow(shard.total(), -own) <= CHANCE) ? ShardMode.SERVER : null;
	}

	public InformerStatus.Sharding status() {
		ShardMode mode = this.modes.isEmpty() ? null
				: this.modes.containsValue(ShardMode.CLIENT) ? ShardMode.CLIENT : ShardMode.SERVER;
		return new InformerStatus.Sharding(this.shard, mode, this.foreign.sum());
	}

	/**
	 * Objects of a list.
	 *
	 * @param objects the number of objects of this shard
	 * @param namespaces their known namespaces
	 * @param foreign the number of objects of other shards
	 */
	public record Received(int objects, Set<String> namespaces, long foreign) {

		long farNamespaces() {
			return this.namespaces.stream()
				.map((namespace) -> namespace.substring(0, Math.max(0, namespace.length() - CLOSE)))
				.distinct()
				.count();
		}

	}

}
