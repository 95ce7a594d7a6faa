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
 * Notes of an informer on a shard: what came of other shards, and whether the API server
 * leaves them out itself. Nothing but the status depends on it. Safe for use by several
 * threads.
 * <p>
 * The server is believed by what it sends, and judged by each list anew. An object of
 * another shard, in a list or since then, means {@link ShardMode#CLIENT}. A list that
 * repeats the selector means {@link ShardMode#SERVER}. kube-apiserver 1.36 repeats it in
 * no streaming list, nor in lists of custom resources and of metadata alone, although
 * they are limited to the shard too: such a list means {@link ShardMode#SERVER} if it
 * holds so many objects, or namespaces, of this shard that this is no chance. If it holds
 * less, the mode is not known, whatever an earlier list said: the server may have been
 * restarted with another feature gate.
 */
public final class ShardTracker {

	private static final Logger logger = LoggerFactory.getLogger(Informer.class);

	/** How often a complete list may look like one that the server has limited. */
	private static final double CHANCE = 1e-6;

	/**
	 * Names that differ in no more than their last characters have hashes that are close
	 * to each other: FNV-1a brings a byte to the highest bits only with the third one
	 * that follows.
	 */
	private static final int CLOSE = 3;

	private static final String BUILT_IN = "io.kubernetes.client.openapi.models";

	private final String id;

	private final Shard shard;

	/** Whether a server that knows shards repeats the selector in its lists. */
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
	 * Notes an object of another shard in a list.
	 */
	public void listedForeign() {
		this.foreign.increment();
	}

	/**
	 * Notes an event about an object of another shard.
	 * @param partition the partition
	 */
	public void watchedForeign(String partition) {
		this.foreign.increment();
		if (this.modes.put(partition, ShardMode.CLIENT) != ShardMode.CLIENT) {
			log();
		}
	}

	/**
	 * Notes that the server was not there. It may be another one now, or have another
	 * feature gate, and a watch that resumes comes without a list: that objects of others
	 * come is known again by the first of them.
	 * @param partition the partition
	 */
	public void serverLost(String partition) {
		this.modes.remove(partition, ShardMode.CLIENT);
	}

	/**
	 * Decides on the mode by a complete list.
	 * @param partition the partition
	 * @param listing the list
	 * @param received how many objects it held of this and other shards
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
			logger.info((mode == ShardMode.SERVER)
					? "Informer '{}' has shard {}: the API server sends no more than that"
					: "Informer '{}' has shard {}: the API server sends everything, and the objects of others are dropped here",
					this.id, this.shard);
		}
	}

	/**
	 * Decides on the mode by what a list says and holds.
	 * @param shard the shard that was asked for
	 * @param repeated whether a server that knows shards repeats the selector in lists of
	 * these objects
	 * @param answered the selector that the list has, empty if none; {@code null} for a
	 * streaming list, which cannot have one
	 * @param received what the list held
	 * @return the mode; {@code null} if the list does not say it
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
	 * What a list held.
	 *
	 * @param objects the number of objects of this shard
	 * @param namespaces the namespaces that they are in, as far as they are known
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
