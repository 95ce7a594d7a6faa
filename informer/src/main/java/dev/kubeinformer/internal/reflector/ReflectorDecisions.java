package dev.kubeinformer.internal.reflector;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.internal.codec.ListHeader;
import dev.kubeinformer.internal.reflector.Decision.Step;
import dev.kubeinformer.internal.text.ResourceVersions;
import dev.kubeinformer.internal.transport.Failure;
import dev.kubeinformer.internal.transport.ListRequest;
import dev.kubeinformer.internal.transport.WatchRequest;
import dev.kubeinformer.types.InformerState;
import dev.kubeinformer.types.ListMode;
import dev.kubeinformer.types.ListReason;
import dev.kubeinformer.types.Problem;
import dev.kubeinformer.types.WatchEventType;

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

	private static final int MOST_MALFORMED_LISTS = 3;

	private static final int MOST_FAILED_STREAMS = 3;

	private static final int MOST_SILENT_RESUMES = 3;

	private static final int MOST_FAILED_PROBES = 2;

	private static final int MOST_CUT_LISTS = 3;

	/**
	 * From when on a list that breaks may have met a limit of time: half of the usual.
	 */
	private static final Duration LONG_LIST = Duration.ofSeconds(30);

	private final ReflectorTimings timings;

	private final ListMode mode;

	private final int pageSize;

	/**
	 * Creates the rules.
	 * @param timings the durations
	 * @param mode how full states are asked for
	 * @param pageSize the configured number of items of a page; 0 for the default
	 */
	ReflectorDecisions(ReflectorTimings timings, ListMode mode, int pageSize) {
		this.timings = timings;
		this.mode = mode;
		this.pageSize = pageSize;
	}

	/**
	 * How a full state is asked for.
	 * @param state the state
	 * @param now the time, in nanoseconds
	 * @return {@link Step#STREAM} or {@link Step#LIST}
	 */
	Step start(ReflectorState state, long now) {
		return switch (this.mode) {
			case AUTO -> state.mayStream(now) ? Step.STREAM : Step.LIST;
			case STREAMING -> Step.STREAM;
			case PAGED -> Step.LIST;
		};
	}

	/**
	 * The request for a streaming list.
	 * @param state the state
	 * @param timeoutSeconds after how long the server shall end it
	 * @return the request
	 */
	WatchRequest streamRequest(ReflectorState state, int timeoutSeconds) {
		return new WatchRequest(state.needFresh() ? "" : state.lastVersion(), timeoutSeconds, true, false);
	}

	/**
	 * A streaming list could not be opened, or ended by an error event before its marker.
	 * @param state the state
	 * @param failure what went wrong
	 * @param now the time, in nanoseconds
	 * @return the decision
	 */
	Decision streamFailed(ReflectorState state, Failure failure, long now) {
		if (isOfTheVersion(failure.problem())) {
			return freshStart(state, failure);
		}
		ReflectorState next = state.failed();
		if (failure.problem() == Problem.THROTTLED || failure.problem() == Problem.REFUSED_CONNECTION) {
			return new Decision(next, Step.START, backoff(next, failure), condition(state, failure));
		}
		if (rejectsStreams(failure) && this.mode == ListMode.AUTO) {
			// A 403 may be a rule that is missing for everything; the list tells.
			return new Decision((failure.problem() != Problem.FORBIDDEN) ? notStreaming(state, now) : state, Step.LIST,
					Pause.NONE, null);
		}
		next = next.streamUnopened();
		return new Decision(next, startOrList(next.unopenedStreams()), backoff(next, failure),
				condition(state, failure));
	}

	/**
	 * A streaming list ended before its marker.
	 * @param state the state
	 * @param failure what went wrong; {@code null} if the server ended it properly
	 * @param now the time, in nanoseconds
	 * @return the decision
	 */
	Decision streamInterrupted(ReflectorState state, @Nullable Failure failure, long now) {
		if (failure != null && failure.status() != null) {
			return streamFailed(state, failure, now);
		}
		ReflectorState next = listMalformed(state.failed().streamInterrupted(), failure);
		return new Decision(next, startOrList(next.interruptedStreams()), backoff(next, failure), null);
	}

	/**
	 * A streaming list brought nothing new, and no marker, for too long: the server does
	 * not know of streaming lists, and takes the request for a watch.
	 * @param state the state
	 * @param now the time, in nanoseconds
	 * @return the decision
	 */
	Decision streamOverdue(ReflectorState state, long now) {
		return new Decision(notStreaming(state, now), Step.START, Pause.NONE, null);
	}

	private ReflectorState notStreaming(ReflectorState state, long now) {
		return state.streamsUnsupported(now + this.timings.streamMemo().toNanos());
	}

	/**
	 * A list that is no proper protobuf may be proper JSON: something between that does
	 * not know of protobuf may have damaged it.
	 * @param state the state
	 * @param failure what went wrong with a list; {@code null} if it only ended
	 * @return the state from now on
	 */
	private static ReflectorState listMalformed(ReflectorState state, @Nullable Failure failure) {
		if (failure == null || failure.problem() != Problem.MALFORMED_PROTOBUF) {
			return state;
		}
		ReflectorState next = state.protobufMalformed();
		return (next.malformedProtobuf() >= MOST_MALFORMED_LISTS) ? next.avoidingProtobuf() : next;
	}

	private static boolean rejectsStreams(Failure failure) {
		return switch (failure.problem()) {
			case BAD_REQUEST, FORBIDDEN, UNSUPPORTED, INVALID, NOT_IMPLEMENTED -> true;
			default -> false;
		};
	}

	private static boolean isOfTheVersion(Problem problem) {
		return problem == Problem.EXPIRED || problem == Problem.TOO_LARGE || problem == Problem.INVALID_VERSION;
	}

	private Step startOrList(int failedInARow) {
		return (failedInARow >= MOST_FAILED_STREAMS && this.mode == ListMode.AUTO) ? Step.LIST : Step.START;
	}

	/**
	 * A streaming list is complete.
	 * @param state the state
	 * @param request its request
	 * @param version the version of the marker
	 * @return the decision: to store it and go on with the same stream, or to discard it
	 */
	Decision streamed(ReflectorState state, WatchRequest request, String version) {
		return complete(state, request.resourceVersion(), version);
	}

	private Decision freshStart(ReflectorState state, Failure failure) {
		if (!state.needFresh()) {
			return new Decision(state.needingFresh(), Step.START, Pause.NONE, null);
		}
		ReflectorState next = state.failed();
		return new Decision(next, Step.START, backoff(next, failure), null);
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
		boolean pagedAtZero = paged && request.resourceVersion().equals("0");
		return complete(state.pagedAtZero(pagedAtZero), request.resourceVersion(), header.resourceVersion());
	}

	private Decision complete(ReflectorState state, String asked, String answered) {
		String version = ResourceVersions.known(answered);
		boolean regression = isRegression(state, version);
		if (regression && !asked.isEmpty()) {
			ReflectorState next = state.failed().needingFresh();
			return new Decision(next, Step.START, backoff(next, null), null);
		}
		String newest = regression ? version : ResourceVersions.newest(state.newestSeen(), version);
		return new Decision(state.stored(version, newest), Step.WATCH, Pause.NONE, null);
	}

	/**
	 * Whether a list is older than what the server showed before.
	 * @param state the state
	 * @param version the version of the list
	 * @return whether it is provably older
	 */
	boolean isRegression(ReflectorState state, String version) {
		return ResourceVersions.isOlder(ResourceVersions.known(version), state.newestSeen());
	}

	/**
	 * A page of a list failed.
	 * @param state the state
	 * @param request the request of the page that failed
	 * @param failure what went wrong
	 * @param begun whether the server had sent objects already
	 * @param lasted the time since the request
	 * @return the decision
	 */
	Decision listFailed(ReflectorState state, ListRequest request, Failure failure, boolean begun, Duration lasted) {
		boolean firstPage = request.continueToken().isEmpty();
		boolean needsPages = state.cutLists() >= MOST_CUT_LISTS;
		if (failure.problem() == Problem.EXPIRED && !firstPage && !state.unpaged() && !needsPages) {
			return new Decision(state.withoutPages(), Step.LIST, Pause.NONE, null);
		}
		if (isOfTheVersion(failure.problem())) {
			Decision fresh = freshStart(state, failure);
			// The list was chosen for this round; what it asks for changes, not how.
			return new Decision(fresh.state(), Step.LIST, fresh.pause(), null);
		}
		ReflectorState next = listMalformed(state.failed(), failure);
		if (isCut(failure, begun, lasted)) {
			// Whole lists of a huge collection take longer than the server allows.
			next = next.listCut(next.cutLists() + 1 >= MOST_CUT_LISTS);
		}
		return new Decision(next, Step.START, backoff(next, failure), condition(state, failure));
	}

	/**
	 * Whether a list may have ended by a limit of time, of the API server (its option
	 * {@code --request-timeout}, one minute by default) or of a proxy: by an answer, by
	 * an end in the middle, or by none.
	 * @param failure what went wrong
	 * @param begun whether objects had come
	 * @param lasted the time since the request
	 * @return whether it may have
	 */
	private static boolean isCut(Failure failure, boolean begun, Duration lasted) {
		boolean late = lasted.compareTo(LONG_LIST) >= 0;
		return switch (failure.problem()) {
			case TIMEOUT -> true;
			case IO -> begun || late;
			case SILENT -> late;
			default -> false;
		};
	}

	/**
	 * Something failed that nobody thought of.
	 * @param state the state
	 * @return the decision
	 */
	Decision broken(ReflectorState state) {
		// What was stored in part must be listed, also where a verification began it.
		ReflectorState known = state.isVerifying() ? state.unverified().needingFresh() : state;
		ReflectorState failed = known.failed().doubted();
		ReflectorState next = state.listed() ? failed.listingBecause(ListReason.INTERNAL_ERROR) : failed;
		return new Decision(next, Step.START, backoff(next, null),
				state.listed() ? InformerState.STALE : InformerState.SYNCING);
	}

	/**
	 * A watch could not be opened.
	 * @param state the state
	 * @param failure what went wrong
	 * @return the decision
	 */
	Decision watchNotOpened(ReflectorState state, Failure failure) {
		if (failure.problem() == Problem.EXPIRED) {
			return expired(state, failure);
		}
		ReflectorState next = state.failed().doubted();
		if (failure.problem() == Problem.BAD_REQUEST || failure.problem() == Problem.INVALID
				|| failure.problem() == Problem.INVALID_VERSION) {
			return new Decision(next.needingFresh().listingBecause(ListReason.INVALID_VERSION), Step.START,
					backoff(next, failure), InformerState.STALE);
		}
		// A server that denies has not lost anything. It may have just started, and deny
		// everybody everything until it has read its rules.
		boolean same = switch (failure.problem()) {
			case FORBIDDEN, NOT_FOUND, THROTTLED -> true;
			default -> false;
		};
		// After any other failure, the server that comes back may have less than it had.
		next = same ? next : next.needingProbe();
		return new Decision(next, resume(next, probeOrWatch(next)), backoff(next, failure), condition(state, failure));
	}

	private static Step probeOrWatch(ReflectorState state) {
		return state.probeDue() ? Step.PROBE : Step.WATCH;
	}

	/**
	 * The server has answered with its version.
	 * @param before the state
	 * @param version the version; empty if it has none
	 * @return the decision
	 */
	Decision probed(ReflectorState before, String version) {
		ReflectorState state = before.probed();
		if (ResourceVersions.isOlder(ResourceVersions.known(version), state.lastVersion())) {
			// It was restored from a backup: a watch would wait for the future in
			// silence.
			return new Decision(state.needingFresh().listingBecause(ListReason.RESTORED), Step.START, Pause.NONE,
					InformerState.STALE);
		}
		// Without bookmarks, silence says nothing: this server is as it should be.
		boolean quiet = state.silent() && !state.sendsHeartbeats();
		return new Decision(quiet ? state.knownToBeQuiet() : state, Step.WATCH, Pause.NONE, null);
	}

	/**
	 * The server did not answer with its version. A server that lists nothing may watch
	 * all the same, so that the probe is given up after a second failure.
	 * @param state the state
	 * @param failure what went wrong
	 * @return the decision
	 */
	Decision notProbed(ReflectorState state, Failure failure) {
		ReflectorState next = state.probeFailed(MOST_FAILED_PROBES);
		if (isDenied(failure.problem())) {
			// The watch says what is wrong, if anything is.
			return new Decision(next, Step.WATCH, Pause.NONE, null);
		}
		next = next.failed();
		return new Decision(next, probeOrWatch(next), backoff(next, failure), condition(state, failure));
	}

	private static boolean isDenied(Problem problem) {
		return switch (problem) {
			case EXPIRED, INVALID_VERSION, BAD_REQUEST, UNAUTHORIZED, FORBIDDEN, NOT_FOUND, UNSUPPORTED, CONFLICT,
					ALREADY_EXISTS, INVALID, REJECTED ->
				true;
			default -> false;
		};
	}

	/**
	 * The request for a watch.
	 * @param state the state
	 * @param timeoutSeconds after how long the server shall end it
	 * @return the request
	 */
	WatchRequest watchRequest(ReflectorState state, int timeoutSeconds) {
		return new WatchRequest(state.lastVersion(), timeoutSeconds, false, state.quiet());
	}

	/**
	 * A watch is open.
	 * @param state the state
	 * @return by what it shows that the cache is live
	 */
	WatchProof watchOpened(ReflectorState state) {
		if (state.silent() && !state.quiet()) {
			return WatchProof.EVENT;
		}
		// A server that has lost the version may open the watch, and say so by an event.
		return state.isDoubted() ? WatchProof.TIME : WatchProof.OPEN;
	}

	/**
	 * An event or a bookmark came.
	 * @param before the state
	 * @param type its type
	 * @param answered its version; empty if it has none
	 * @param now the time, in nanoseconds
	 * @return the state from now on
	 */
	ReflectorState received(ReflectorState before, WatchEventType type, String answered, long now) {
		ReflectorState state = (type == WatchEventType.BOOKMARK) ? before.bookmarked(now, this.timings.idleTimeout())
				: before;
		String version = ResourceVersions.known(answered);
		// A watch from "" begins with any state; its versions are those of objects.
		boolean synthetic = state.lastVersion().isEmpty() && type == WatchEventType.ADDED;
		// Bookmarks may lag behind (kubernetes#95145), and a deletion may carry the
		// version of the last change (kubernetes#58545). To resume there would replay
		// what came since.
		boolean moves = !version.isEmpty() && !synthetic && !ResourceVersions.isOlder(version, state.lastVersion());
		String last = moves ? version : state.lastVersion();
		String newest = moves ? ResourceVersions.newest(state.newestSeen(), version) : state.newestSeen();
		return state.advanced(last, newest, !last.equals(state.lastVersion()));
	}

	/**
	 * An open watch ended.
	 * @param state the state
	 * @param end how it ended
	 * @param now the time, in nanoseconds
	 * @return the decision
	 */
	Decision watchEnded(ReflectorState state, WatchEnd end, long now) {
		// All of them together: where every connection is cut after a minute, none
		// lives that long.
		ReflectorState lived = state.lived(end.lived());
		ReflectorState current = isSteady(lived.livedSinceFailure()) ? lived.forgettingFailures() : lived;
		current = isSteady(lived.livedSinceExpiration()) ? current.forgettingExpirations() : current;
		Failure failure = end.failure();
		if (failure == null) {
			return resumed(current, end, null);
		}
		current = current.doubted();
		return switch (failure.problem()) {
			case MALFORMED, MALFORMED_PROTOBUF -> brokenFrame(current, end, failure);
			case SILENT -> silent(current.wentSilent(), end);
			case IO, REFUSED_CONNECTION, INTERNAL -> resumed(current, end, InformerState.STALE);
			default -> errorEvent(current, failure, now);
		};
	}

	private boolean isSteady(Duration lived) {
		return lived.compareTo(this.timings.backoffReset()) >= 0;
	}

	/**
	 * A watch ended, and it is time to compare the cache with the server. A server that
	 * was restored from a backup, and has passed the version of the cache already, shows
	 * nothing of it on the wire.
	 * @param state the state
	 * @return the decision
	 */
	Decision verify(ReflectorState state) {
		return new Decision(state.verifying(), Step.START, Pause.NONE, null);
	}

	/**
	 * Whether the list of a verification failed. Nothing is known to be wrong, so the
	 * watch shall not wait for a server that cannot list.
	 * @param decision what follows
	 * @return whether to give it up until the next time
	 */
	boolean givesUpVerification(Decision decision) {
		return decision.state().isVerifying() && decision.step() != Step.WATCH && !decision.pause().equals(Pause.NONE);
	}

	/**
	 * The watch goes on without a verification.
	 * @param decision what would follow
	 * @return what follows instead
	 */
	Decision unverified(Decision decision) {
		return new Decision(decision.state().unverified(), Step.WATCH, decision.pause(), decision.condition());
	}

	private Decision silent(ReflectorState state, WatchEnd end) {
		if (state.silentResumes() > MOST_SILENT_RESUMES && state.sendsHeartbeats()) {
			ReflectorState next = state.failed().needingFresh().listingBecause(ListReason.SILENCE);
			return new Decision(next, Step.START, backoff(next, null), InformerState.STALE);
		}
		Decision resumed = resumed(state, end, InformerState.STALE);
		boolean again = state.silentResumes() > 1 && resumed.step() == Step.WATCH;
		return again ? new Decision(resumed.state().needingProbe(), Step.PROBE, resumed.pause(), InformerState.STALE)
				: resumed;
	}

	private Decision errorEvent(ReflectorState state, Failure failure, long now) {
		if (failure.problem() == Problem.EXPIRED) {
			return expired(state, failure);
		}
		ReflectorState next = state.failed();
		if (failure.problem() == Problem.THROTTLED) {
			return new Decision(next, resume(next, Step.WATCH), backoff(next, failure), InformerState.STALE);
		}
		next = next.errorEvent(now);
		Long since = next.errorEventsSince();
		if (since != null && now - since > this.timings.errorEventPatience().toNanos()) {
			return new Decision(next.listingBecause(ListReason.ERROR_EVENTS), Step.START, backoff(next, failure),
					InformerState.STALE);
		}
		return new Decision(next, resume(next, Step.WATCH), backoff(next, failure), InformerState.STALE);
	}

	private Decision brokenFrame(ReflectorState state, WatchEnd end, Failure failure) {
		ReflectorState next = state.frameBroken();
		if (next.brokenFrames() >= MOST_BROKEN_FRAMES) {
			next = next.failed().listingBecause(ListReason.BROKEN_FRAMES);
			next = (failure.problem() == Problem.MALFORMED_PROTOBUF) ? next.avoidingProtobuf() : next;
			return new Decision(next, Step.START, backoff(next, null), InformerState.STALE);
		}
		return resumed(next, end, InformerState.STALE);
	}

	private Decision resumed(ReflectorState state, WatchEnd end, @Nullable InformerState condition) {
		boolean tooShort = end.lived().compareTo(this.timings.shortWatch()) < 0 && !end.events();
		ReflectorState next = tooShort ? state.failed() : state;
		return new Decision(next, resume(state, Step.WATCH), tooShort ? backoff(next, null) : Pause.NONE, condition);
	}

	/**
	 * The version has expired. That is the answer of a healthy server, such as one that
	 * was restarted: after an outage nobody should wait for a list as long as for the
	 * server. Only versions that expire again and again back off: expirations add up
	 * until watches have lived for a while, whatever they brought, or a client that is
	 * too slow for its events would list at full speed.
	 * @param state the state
	 * @param failure what the server said
	 * @return the decision
	 */
	private Decision expired(ReflectorState state, Failure failure) {
		ReflectorState next = state.expired();
		return new Decision(next, Step.START, Pause.backoff(next.expirations(), failure.retryAfter()),
				InformerState.STALE);
	}

	private static Step resume(ReflectorState state, Step step) {
		// An empty version cannot be resumed: a watch from "" starts at any state there
		// is.
		return state.lastVersion().isEmpty() ? Step.START : step;
	}

	private Pause backoff(ReflectorState state, @Nullable Failure failure) {
		Duration atLeast = (failure != null) ? failure.retryAfter() : Duration.ZERO;
		boolean refused = failure != null && failure.problem() == Problem.REFUSED_CONNECTION;
		return refused ? Pause.knocking(state.failures()) : Pause.backoff(state.failures(), atLeast);
	}

	private InformerState condition(ReflectorState state, Failure failure) {
		return switch (failure.problem()) {
			case FORBIDDEN -> InformerState.FORBIDDEN;
			case NOT_FOUND -> InformerState.NOT_FOUND;
			default -> state.listed() ? InformerState.STALE : InformerState.SYNCING;
		};
	}

}
