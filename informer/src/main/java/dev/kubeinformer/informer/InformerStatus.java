package dev.kubeinformer.informer;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.types.InformerState;
import dev.kubeinformer.types.ListReason;
import dev.kubeinformer.types.MetadataMode;
import dev.kubeinformer.types.Shard;
import dev.kubeinformer.types.ShardMode;
import dev.kubeinformer.types.Slots;
import dev.kubeinformer.types.WatchEndReason;
import dev.kubeinformer.types.WireEncoding;

/**
 * Status of an informer at one moment.
 *
 * @param state the state
 * @param since the time at which that state began
 * @param sync whether and when the cache held all objects
 * @param cache the content of the cache
 * @param lists the full lists since the start
 * @param watch the watch that keeps the cache current
 * @param encoding the encoding of the API server's last response; {@code null} before the
 * first one
 * @param metadata the side that reduces objects to metadata: the API server or the
 * informer; {@code null} for an informer on whole objects, and before the first response
 * @param sharding the cached shard; {@code null} if all objects are cached
 * @param lastError the last error; {@code null} if there was none
 * @param requiredRbac the missing rules; empty unless the state is
 * {@link InformerState#FORBIDDEN}
 */
public record InformerStatus(InformerState state, Instant since, Sync sync, Cache cache, Lists lists, Watch watch,
		@Nullable WireEncoding encoding, @Nullable MetadataMode metadata, @Nullable Sharding sharding,
		@Nullable InformerError lastError, List<RequiredRbac> requiredRbac) {

	/**
	 * Progress of a cache until it holds all objects.
	 *
	 * @param synced {@code true} if the cache has held all objects since the last start
	 * @param syncedAt the time at which the cache first held all objects; {@code null}
	 * before
	 * @param everSynced {@code true} if the cache has ever held all objects, even before
	 * a stop
	 */
	public record Sync(boolean synced, @Nullable Instant syncedAt, boolean everSynced) {

	}

	/**
	 * Content of a cache.
	 *
	 * @param size the number of cached objects
	 * @param resourceVersion the version of the cache, the lowest of all namespaces;
	 * empty before the first sync, and while an added namespace is being listed
	 * @param staleSince the time at which the filled cache was last current, which may be
	 * earlier than {@link InformerStatus#since()}; {@code null} while it is current,
	 * before it was filled, and while the informer is stopped
	 * @param quarantined the number of received objects that could not be decoded or
	 * transformed; the cache keeps their last good version if there is one
	 */
	public record Cache(int size, String resourceVersion, @Nullable Instant staleSince, int quarantined) {

	}

	/**
	 * Full lists of an informer since its start.
	 *
	 * @param byReason the number of lists by reason, without reasons that did not occur
	 * @param regressions the number of lists that were older than an earlier response of
	 * the API server, for example after a restore from a backup
	 */
	public record Lists(Map<ListReason, Long> byReason, long regressions) {

		/**
		 * Returns the number of full lists since the start.
		 * @return the number of lists for all reasons
		 */
		public long total() {
			return this.byReason.values().stream().mapToLong(Long::longValue).sum();
		}

	}

	/**
	 * Watch that keeps a cache current.
	 *
	 * @param watchedAt the first time since the last start at which the filled cache had
	 * a watch for each namespace; {@code null} before, because changes of the cached
	 * objects are not seen yet
	 * @param everWatched {@code true} if the cache was ever watched, even before a stop
	 * @param lastEventAt the time of the last event or bookmark; {@code null} if there
	 * was none
	 * @param restarts the number of watches that ended or could not be opened since the
	 * start, by reason, without reasons that did not occur
	 */
	public record Watch(@Nullable Instant watchedAt, boolean everWatched, @Nullable Instant lastEventAt,
			Map<WatchEndReason, Long> restarts) {

	}

	/**
	 * Cached shard, or cached slots, of the objects.
	 *
	 * @param shard the shard; {@code null} if the objects are divided by slots that move
	 * @param mode the side that filters out other objects: the API server or the
	 * informer. It is derived from the last list and later events; {@code null} before
	 * the first list, and while the side cannot be determined
	 * @param foreign the number of received objects and changes of other shards that the
	 * informer has dropped since the start
	 * @param slots the division of the objects into slots; {@code null} if there is a
	 * shard
	 * @param held the slots of this process
	 * @param listed the slots of which the cache holds all objects; the others of
	 * {@code held} are being listed
	 */
	public record Sharding(@Nullable Shard shard, @Nullable ShardMode mode, long foreign, @Nullable Slots slots,
			Set<Integer> held, Set<Integer> listed) {

		/**
		 * Creates a description.
		 */
		public Sharding {
			held = Set.copyOf(held);
			listed = Set.copyOf(listed);
		}

		/**
		 * Creates the description of a shard.
		 * @param shard the shard
		 * @param mode the side that filters out other objects: the API server or the
		 * informer; {@code null} if it is not known
		 * @param foreign the number of dropped objects and changes of other shards
		 */
		public Sharding(Shard shard, @Nullable ShardMode mode, long foreign) {
			this(shard, mode, foreign, null, Set.of(), Set.of());
		}

	}

}
