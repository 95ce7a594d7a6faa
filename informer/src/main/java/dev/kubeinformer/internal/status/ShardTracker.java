package dev.kubeinformer.internal.status;

import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.kubeinformer.informer.Informer;
import dev.kubeinformer.informer.InformerSpec;
import dev.kubeinformer.informer.InformerStatus;
import dev.kubeinformer.internal.codec.ShardFilter;
import dev.kubeinformer.internal.reflector.Listing;
import dev.kubeinformer.internal.slots.SlotList;
import dev.kubeinformer.shard.Shards;
import dev.kubeinformer.types.Shard;
import dev.kubeinformer.types.ShardKey;
import dev.kubeinformer.types.ShardMode;
import dev.kubeinformer.types.Slots;

/**
 * Tracks the objects of other shards that an informer receives, and whether the API
 * server filters them. Only the status depends on this class. Thread-safe.
 * <p>
 * The mode says who filters: the API server ({@link ShardMode#SERVER}) or this client
 * ({@link ShardMode#CLIENT}). Each list determines the mode again. An object of another
 * shard, in the list or in a later event, means {@link ShardMode#CLIENT}. A list that
 * repeats the selector means {@link ShardMode#SERVER}. kube-apiserver 1.36 does not
 * repeat it in streaming lists or in lists of custom resources and metadata, although it
 * filters them, too. If such a list contains no object of another shard, it means
 * {@link ShardMode#SERVER}, provided that it contains too many objects or namespaces for
 * a coincidence. If it contains fewer, the mode is unknown, even if an earlier list
 * determined it, because the server may have been restarted with another feature gate.
 */
public final class ShardTracker {

	private static final Logger logger = LoggerFactory.getLogger(Informer.class);

	/** Accepted probability that an unfiltered list looks filtered. */
	private static final double CHANCE = 1e-6;

	/**
	 * Number of characters at the end of a name that are ignored when namespaces are
	 * counted. Namespaces that differ only in these have similar hashes, and are mostly
	 * in the same shard: FNV-1a carries a byte into the highest bits only with the third
	 * byte that follows.
	 */
	private static final int CLOSE = 3;

	private static final String BUILT_IN = "io.kubernetes.client.openapi.models";

	private final String id;

	/**
	 * Shard that never changes; {@code null} if the objects are divided into shard slots.
	 */
	private final @Nullable Shard shard;

	/**
	 * Division of the objects into shard slots; {@code null} if the shard never changes.
	 */
	private final @Nullable Slots division;

	/** Whether a server that supports shards returns the selector in its lists. */
	private final boolean repeated;

	private final Map<String, ShardMode> modes = new ConcurrentHashMap<>();

	private final LongAdder foreign = new LongAdder();

	private volatile @Nullable ShardMode logged;

	private volatile Supplier<Set<Integer>> held = Set::of;

	private volatile Supplier<Set<Integer>> listed = Set::of;

	private ShardTracker(String id, @Nullable Shard shard, @Nullable Slots division, boolean repeated) {
		this.id = id;
		this.shard = shard;
		this.division = division;
		this.repeated = repeated;
	}

	static @Nullable ShardTracker of(String id, InformerSpec<?> spec) {
		Shard shard = spec.shard();
		boolean repeated = !spec.type().isMetadata() && spec.type().objectClass().getPackageName().equals(BUILT_IN);
		Shards shards = spec.shards();
		if (shards != null) {
			return new ShardTracker(id, null, shards.division(), repeated);
		}
		return (shard != null) ? new ShardTracker(id, shard, null, repeated) : null;
	}

	/**
	 * Sets the functions that return the shard slots of the cache.
	 * @param heldSlots returns the slots that this process holds
	 * @param listedSlots returns the slots of which the cache holds a full state
	 */
	public void slots(Supplier<Set<Integer>> heldSlots, Supplier<Set<Integer>> listedSlots) {
		this.held = heldSlots;
		this.listed = listedSlots;
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
	 * Records objects of other shard slots in a list.
	 * @param objects the number of objects
	 */
	public void listedForeign(long objects) {
		this.foreign.add(objects);
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
	 * with another feature gate. A resumed watch is not preceded by a list. So the mode
	 * is unknown until an object of another shard arrives or a list determines the mode.
	 * @param partition the partition
	 */
	public void serverLost(String partition) {
		this.modes.remove(partition, ShardMode.CLIENT);
	}

	/**
	 * Derives the mode from a complete list.
	 * @param partition the partition
	 * @param listing the list
	 * @param received the objects that the list contained
	 */
	public void listed(String partition, Listing listing, Received received) {
		ShardMode mode = decide(listing, received);
		if (mode != null) {
			this.modes.put(partition, mode);
			log();
		}
		else {
			this.modes.remove(partition);
		}
	}

	private @Nullable ShardMode decide(Listing listing, Received received) {
		SlotList slots = listing.slots();
		if (this.division != null) {
			return (slots != null) ? decide(Requested.of(this.division, slots.slots().slots()), this.repeated,
					listing.shardSelector(), received) : null;
		}
		return decide(Objects.requireNonNull(this.shard), this.repeated, listing.shardSelector(), received);
	}

	private void log() {
		ShardMode mode = status().mode();
		if (mode != null && mode != this.logged) {
			this.logged = mode;
			if (this.division != null) {
				logger
					.info((mode == ShardMode.SERVER) ? "Informer '{}' holds some of {}: the API server sends only these"
							: "Informer '{}' holds some of {}: the API server sends all objects, and objects of "
									+ "other slots are dropped here",
							this.id, this.division);
				return;
			}
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
	 * @return the mode; {@code null} if the list does not show it
	 */
	static @Nullable ShardMode decide(Shard shard, boolean repeated, @Nullable String answered, Received received) {
		return decide(new Requested(shard.selector(), shard.key(), shard.total()), repeated, answered, received);
	}

	private static @Nullable ShardMode decide(Requested requested, boolean repeated, @Nullable String answered,
			Received received) {
		if (received.foreign() > 0) {
			return ShardMode.CLIENT;
		}
		if (requested.selector().equals(answered)) {
			return ShardMode.SERVER;
		}
		if (answered != null && repeated) {
			return ShardMode.CLIENT;
		}
		long own = (requested.key() == ShardKey.UID) ? received.objects() : received.farNamespaces();
		return (Math.pow(requested.shares(), -own) <= CHANCE) ? ShardMode.SERVER : null;
	}

	public InformerStatus.Sharding status() {
		ShardMode mode = this.modes.isEmpty() ? null
				: this.modes.containsValue(ShardMode.CLIENT) ? ShardMode.CLIENT : ShardMode.SERVER;
		return new InformerStatus.Sharding(this.shard, mode, this.foreign.sum(), this.division, this.held.get(),
				this.listed.get());
	}

	/**
	 * Part of the objects that a list requests.
	 *
	 * @param selector the selector
	 * @param key the hashed part of the metadata
	 * @param shares the reciprocal of the requested fraction of all objects: 4 for a
	 * quarter
	 */
	private record Requested(String selector, ShardKey key, double shares) {

		static Requested of(Slots division, Set<Integer> slots) {
			return new Requested(ShardFilter.of(division, slots).selector(), division.key(),
					(double) division.total() / Math.max(1, slots.size()));
		}

	}

	/**
	 * Objects that a list contained.
	 *
	 * @param objects the number of objects of this shard
	 * @param namespaces the known namespaces of these objects
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
