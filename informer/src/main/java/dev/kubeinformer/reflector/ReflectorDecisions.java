package dev.kubeinformer.reflector;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.codec.ListHeader;
import dev.kubeinformer.reflector.Decision.Step;
import dev.kubeinformer.resource.ResourceVersions;
import dev.kubeinformer.transport.ListRequest;

/**
 * The protocol: for a state and the outcome of a request, what to do next. Pure
 * functions, without I/O, clock or dice.
 * <p>
 * The rules follow client-go's reflector ({@code tools/cache/reflector.go}), except that
 * every failure other than an expired version resumes the watch where it was, instead of
 * listing again.
 */
final class ReflectorDecisions {

	private static final int DEFAULT_PAGE_SIZE = 500;

	private static final int MOST_BROKEN_FRAMES = 3;

	private final ReflectorTimings timings;

	private final int pageSize;

	/**
	 * Creates the rules.
	 * @param timings the durations
	 * @param pageSize the configured number of items of a page; 0 for the default
	 */
	ReflectorDecisions(ReflectorTimings timings, int pageSize) {
		this.timings = timings;
		this.pageSize = pageSize;
	}

	/**
	 * The request for the first page of a list.
	 * @param state the state
	 * @return the request
	 */
	ListRequest listRequest(ReflectorState state) {
		String version = state.needFresh() ? "" : (state.lastVersion().isEmpty() ? "0" : state.lastVersion());
		return new ListRequest(version, limit(state, version), "");
	}

	private int limit(ReflectorState state, String version) {
		if (state.unpaged()) {
			return 0;
		}
		if (this.pageSize > 0) {
			return this.pageSize;
		}
		// With any other version, a limit would ask for exactly that version
		// (resourceVersionMatch=Exact).
		boolean mayBePaged = version.isEmpty() || version.equals("0") || state.pagedAtZero();
		return mayBePaged ? DEFAULT_PAGE_SIZE : 0;
	}

	/**
	 * A list is complete.
	 * @param state the state
	 * @param request the request for its first page
	 * @param header what its first page said
	 * @param paged whether there was more than one page
	 * @return the decision: to store it and watch, or to discard it and list again
	 */
	Decision listed(ReflectorState state, ListRequest request, ListHeader header, boolean paged) {
		String version = header.resourceVersion();
		boolean authoritative = request.resourceVersion().isEmpty();
		if (isRegression(state, version) && !authoritative) {
			ReflectorState next = state.failed().needingFresh();
			return new Decision(next, Step.LIST, backoff(next, null), null);
		}
		String newest = isRegression(state, version) ? version : ResourceVersions.newest(state.newestSeen(), version);
		boolean pagedAtZero = paged && request.resourceVersion().equals("0");
		return new Decision(state.stored(version, newest, pagedAtZero), Step.WATCH, Pause.NONE, null);
	}

	/**
	 * Whether a list is older than what the server showed before.
	 * @param state the state
	 * @param version the version of the list
	 * @return whether it is provably older
	 */
	boolean isRegression(ReflectorState state, String version) {
		return ResourceVersions.isOlder(version, state.newestSeen());
	}

	/**
	 * A page of a list failed.
	 * @param state the state
	 * @param request the request of the page that failed
	 * @param failure what went wrong
	 * @return the decision
	 */
	Decision listFailed(ReflectorState state, ListRequest request, Failure failure) {
		boolean firstPage = request.continueToken().isEmpty();
		if (failure.isExpired() && !firstPage) {
			return new Decision(state.withoutPages(), Step.LIST, Pause.NONE, null);
		}
		if (failure.isExpired() || failure.isTooLargeVersion() || failure.isInvalidVersion()) {
			if (!state.needFresh()) {
				return new Decision(state.needingFresh(), Step.LIST, Pause.NONE, null);
			}
			ReflectorState next = state.failed();
			return new Decision(next, Step.LIST, backoff(next, failure), null);
		}
		ReflectorState next = state.failed();
		return new Decision(next, Step.LIST, backoff(next, failure), condition(state, failure));
	}

	/**
	 * A watch could not be opened.
	 * @param state the state
	 * @param failure what went wrong
	 * @return the decision
	 */
	Decision watchNotOpened(ReflectorState state, Failure failure) {
		ReflectorState next = state.failed();
		if (failure.isExpired()) {
			return new Decision(next, Step.LIST, backoff(next, failure), Condition.STALE);
		}
		if (failure.code() == 400 || failure.code() == 422 || failure.isInvalidVersion()) {
			return new Decision(next.needingFresh(), Step.LIST, backoff(next, failure), Condition.STALE);
		}
		// Where only a person can help, asking often helps nobody.
		boolean denied = failure.code() == 403 || failure.code() == 404;
		return new Decision(next, Step.WATCH, denied ? Pause.cap() : backoff(next, failure), condition(state, failure));
	}

	/**
	 * A watch is open.
	 * @param state the state
	 * @return what to show, or {@code null} to leave it as it is until the first event
	 */
	@Nullable Condition watchOpened(ReflectorState state) {
		return state.silent() ? null : Condition.LIVE;
	}

	/**
	 * An event or a bookmark came.
	 * @param state the state
	 * @param version its version; empty if it has none
	 * @return the state from now on
	 */
	ReflectorState received(ReflectorState state, String version) {
		if (version.isEmpty()) {
			return state.advanced(state.lastVersion(), state.newestSeen());
		}
		return state.advanced(version, ResourceVersions.newest(state.newestSeen(), version));
	}

	/**
	 * An open watch ended.
	 * @param state the state
	 * @param end how it ended
	 * @param now the time, in nanoseconds
	 * @return the decision
	 */
	Decision watchEnded(ReflectorState state, WatchEnd end, long now) {
		ReflectorState current = (end.lived().compareTo(this.timings.backoffReset()) >= 0) ? state.steady() : state;
		Failure failure = end.failure();
		if (failure == null) {
			return resumed(current, end, null);
		}
		return switch (failure.kind()) {
			case STATUS -> errorEvent(current, failure, now);
			case MALFORMED -> brokenFrame(current, end);
			case SILENCE -> resumed(current.wentSilent(), end, Condition.STALE);
			case IO -> resumed(current, end, Condition.STALE);
		};
	}

	private Decision errorEvent(ReflectorState state, Failure failure, long now) {
		ReflectorState next = state.failed();
		if (failure.isExpired()) {
			return new Decision(next, Step.LIST, backoff(next, failure), Condition.STALE);
		}
		if (failure.code() == 429) {
			return new Decision(next, Step.WATCH, backoff(next, failure), Condition.STALE);
		}
		next = next.errorEvent(now);
		Long since = next.errorEventsSince();
		boolean patient = since == null || now - since <= this.timings.errorEventPatience().toNanos();
		return new Decision(next, patient ? Step.WATCH : Step.LIST, backoff(next, failure), Condition.STALE);
	}

	private Decision brokenFrame(ReflectorState state, WatchEnd end) {
		ReflectorState next = state.frameBroken();
		if (next.brokenFrames() >= MOST_BROKEN_FRAMES) {
			next = next.failed();
			return new Decision(next, Step.LIST, backoff(next, null), Condition.STALE);
		}
		return resumed(next, end, Condition.STALE);
	}

	private Decision resumed(ReflectorState state, WatchEnd end, @Nullable Condition condition) {
		boolean tooShort = end.lived().compareTo(this.timings.shortWatch()) < 0 && !end.events();
		ReflectorState next = tooShort ? state.failed() : state;
		// An empty version cannot be resumed: a watch from "" starts at any state there
		// is.
		Step step = state.lastVersion().isEmpty() ? Step.LIST : Step.WATCH;
		return new Decision(next, step, tooShort ? backoff(next, null) : Pause.NONE, condition);
	}

	private Pause backoff(ReflectorState state, @Nullable Failure failure) {
		Integer seconds = (failure != null) ? failure.retryAfterSeconds() : null;
		return Pause.backoff(state.failures(), Duration.ofSeconds((seconds != null) ? seconds : 0));
	}

	private Condition condition(ReflectorState state, Failure failure) {
		return switch (failure.code()) {
			case 403 -> Condition.FORBIDDEN;
			case 404 -> Condition.NOT_FOUND;
			default -> state.listed() ? Condition.STALE : Condition.SYNCING;
		};
	}

}
