package dev.kubeinformer.informer;

import java.time.Instant;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.types.InformerState;
import dev.kubeinformer.types.ListReason;
import dev.kubeinformer.types.MetadataMode;
import dev.kubeinformer.types.Shard;
import dev.kubeinformer.types.ShardMode;
import dev.kubeinformer.types.WatchEndReason;
import dev.kubeinformer.types.WireEncoding;

/**
 * The state of an informer at one moment, for people and for health checks.
 *
 * @param state what it is doing
 * @param since since when it is in that state
 * @param sync whether and when the cache held a full state
 * @param cache what the cache holds
 * @param lists the full lists since the start
 * @param watch what keeps the cache up to date
 * @param encoding the encoding of the API server's last answer; {@code null} before the
 * first one
 * @param metadata where all but the metadata is left out; {@code null} for an informer on
 * whole objects, and before the first answer
 * @param sharding which shard of the objects is cached; {@code null} if all are
 * @param lastError what last went wrong; {@code null} if nothing did
 * @param requiredRbac the rules that are missing; empty unless the state is
 * {@link InformerState#FORBIDDEN}
 */
public record InformerStatus(InformerState state, Instant since, Sync sync, Cache cache, Lists lists, Watch watch,
		@Nullable WireEncoding encoding, @Nullable MetadataMode metadata, @Nullable Sharding sharding,
		@Nullable InformerError lastError, List<RequiredRbac> requiredRbac) {

	/**
	 * Whether and when a cache held a full state.
	 *
	 * @param synced whether the cache holds, or once held, a full state since the last
	 * start
	 * @param syncedAt when the cache first held a full state; {@code null} before that
	 * @param everSynced whether the cache held a full state at least once, also before a
	 * stop
	 */
	public record Sync(boolean synced, @Nullable Instant syncedAt, boolean everSynced) {

	}

	/**
	 * What a cache holds.
	 *
	 * @param size the number of cached objects
	 * @param resourceVersion the version of the cache, the lowest of all namespaces;
	 * empty before the first sync, and while a namespace that was added is listed
	 * @param staleSince since when the cache, which was filled, is not kept up to date,
	 * in whichever states; {@code null} while it is, and before it was filled
	 * @param quarantined the number of objects that the API server sent and that could
	 * not be read; their last good versions, if any, stay in the cache
	 */
	public record Cache(int size, String resourceVersion, @Nullable Instant staleSince, int quarantined) {

	}

	/**
	 * The full lists of an informer since its start.
	 *
	 * @param byReason their number by why they were asked for, without reasons that did
	 * not occur
	 * @param regressions the number of lists that were older than what the API server
	 * showed before, such as one that was restored from a backup
	 */
	public record Lists(Map<ListReason, Long> byReason, long regressions) {

		/**
		 * Returns the number of full lists since the start.
		 * @return the number, whatever they were asked for
		 */
		public long total() {
			return this.byReason.values().stream().mapToLong(Long::longValue).sum();
		}

	}

	/**
	 * What keeps a cache up to date.
	 *
	 * @param watchedAt when the cache that held a full state first had a watch as well,
	 * of each namespace one, since the last start; {@code null} before that. Until then
	 * no change of what it holds was ever seen
	 * @param everWatched whether the cache was watched at least once, also before a stop
	 * @param lastEventAt when the API server last sent an event or bookmark; {@code null}
	 * if it never did
	 * @param restarts the number of watches since the start that ended or could not be
	 * opened, by why, without reasons that did not occur
	 */
	public record Watch(@Nullable Instant watchedAt, boolean everWatched, @Nullable Instant lastEventAt,
			Map<WatchEndReason, Long> restarts) {

	}

	/**
	 * Which shard of the objects is cached.
	 *
	 * @param shard the shard
	 * @param mode where other objects are left out, as of the last list and what came
	 * since; {@code null} before the first list, and while that has nothing to tell it by
	 * @param foreign the number of objects and changes of other shards since the start
	 * that the API server sent and that were dropped here
	 */
	public record Sharding(Shard shard, @Nullable ShardMode mode, long foreign) {

	}

}
