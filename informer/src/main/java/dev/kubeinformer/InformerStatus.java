package dev.kubeinformer;

import java.time.Instant;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.types.InformerState;
import dev.kubeinformer.types.ListReason;
import dev.kubeinformer.types.WatchEndReason;
import dev.kubeinformer.types.WireEncoding;

/**
 * The state of an informer at one moment, for people and for health checks.
 *
 * @param state what it is doing
 * @param since since when it is in that state
 * @param staleSince since when the cache, which was filled, is not kept up to date, in
 * whichever states; {@code null} while it is, and before it was filled
 * @param synced whether the cache holds, or once held, a full state since the last start
 * @param syncedAt when the cache first held a full state; {@code null} before that
 * @param watchedAt when the cache that held a full state first had a watch as well, of
 * each namespace one, since the last start; {@code null} before that. Until then no
 * change of what it holds was ever seen
 * @param resourceVersion the version of the cache, the lowest of all namespaces; empty
 * before the first sync, and while a namespace that was added is listed
 * @param cacheSize the number of cached objects
 * @param lastEventAt when the API server last sent an event or bookmark; {@code null} if
 * it never did
 * @param quarantined the number of objects that the API server sent and that could not be
 * read; their last good versions, if any, stay in the cache
 * @param lists the number of full lists since the start
 * @param regressions the number of full lists since the start that were older than what
 * the API server showed before, such as one that was restored from a backup
 * @param lastError what last went wrong; {@code null} if nothing did
 * @param requiredRbac the rules that are missing; empty unless the state is
 * {@link InformerState#FORBIDDEN}
 * @param everSynced whether the cache held a full state at least once, also before a stop
 * @param everWatched whether the cache was watched at least once, also before a stop
 * @param listsByReason the number of full lists since the start by why they were asked
 * for, without reasons that did not occur
 * @param watchRestarts the number of watches since the start that ended or could not be
 * opened, by why, without reasons that did not occur
 * @param encoding the encoding of the API server's last answer; {@code null} before the
 * first one
 */
public record InformerStatus(InformerState state, Instant since, @Nullable Instant staleSince, boolean synced,
		@Nullable Instant syncedAt, @Nullable Instant watchedAt, String resourceVersion, int cacheSize,
		@Nullable Instant lastEventAt, int quarantined, long lists, long regressions, @Nullable InformerError lastError,
		List<RequiredRbac> requiredRbac, boolean everSynced, boolean everWatched, Map<ListReason, Long> listsByReason,
		Map<WatchEndReason, Long> watchRestarts, @Nullable WireEncoding encoding) {

}
