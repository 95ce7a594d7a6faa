package dev.kubeinformer.internal.reflector;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.internal.codec.ListHeader;
import dev.kubeinformer.internal.failure.Failure;
import dev.kubeinformer.internal.reflector.Decision.Step;
import dev.kubeinformer.internal.text.ResourceVersions;
import dev.kubeinformer.internal.transport.ListRequest;
import dev.kubeinformer.internal.transport.WatchRequest;
import dev.kubeinformer.types.InformerState;
import dev.kubeinformer.types.ListMode;
import dev.kubeinformer.types.ListReason;
import dev.kubeinformer.types.Problem;

/**
 * Protocol of full states: for a state and the outcome of a list, what to do next. Pure
 * functions, without I/O, clock or randomness.
 * <p>
 * The rules follow client-go's reflector ({@code tools/cache/reflector.go}). What follows
 * from each problem is in the table of {@code docs/protocol.md}.
 */
final class ListDecisions {

	private static final int DEFAULT_PAGE_SIZE = 500;

	private static final int MOST_MALFORMED_LISTS = 3;

	private static final int MOST_FAILED_STREAMS = 3;

	private static final int MOST_CUT_LISTS = 3;

	private final ReflectorTimings timings;

	private final ListMode mode;

	private final int pageSize;

	/**
	 * Creates the rules.
	 * @param timings the durations
	 * @param mode how full states are asked for
	 * @param pageSize the configured number of items of a page; 0 for the default
	 */
	ListDecisions(ReflectorTimings timings, ListMode mode, int pageSize) {
		this.timings = timings;
		this.mode = mode;
		this.pageSize = pageSize;
	}

	/**
	 * Returns how a full state is asked for.
	 * @param state the state
	 * @param now the time, in nanoseconds
	 * @return {@link Step#STREAM} or {@link Step#LIST}
	 */
	Step startBy(ReflectorState state, long now) {
		return switch (this.mode) {
			case AUTO -> state.streams().mayStream(now) ? Step.STREAM : Step.LIST;
			case STREAMING -> Step.STREAM;
			case PAGED -> Step.LIST;
		};
	}

	/**
	 * Returns the request for a streaming list.
	 * @param state the state
	 * @param timeoutSeconds after how long the server shall end it
	 * @return the request
	 */
	WatchRequest streamRequest(ReflectorState state, int timeoutSeconds) {
		boolean latest = state.nextList().fresh() || state.nextList().current();
		return new WatchRequest(latest ? "" : state.versions().last(), timeoutSeconds, true, false);
	}

	/**
	 * Decides what follows a streaming list that could not be opened, or was ended by an
	 * error event before its marker.
	 * @param state the state
	 * @param failure what went wrong
	 * @param now the time, in nanoseconds
	 * @return the decision
	 */
	Decision streamFailed(ReflectorState state, Failure failure, long now) {
		boolean mayPage = this.mode == ListMode.AUTO;
		return unlessVerifying(switch (failure.problem()) {
			case EXPIRED, TOO_LARGE, INVALID_VERSION -> fresh(state, failure, Step.START);
			case THROTTLED, REFUSED_CONNECTION ->
				Decision.start(state.failed()).afterBackoff(failure).showing(state.notLive());
			// A rule may be missing for everything; the list shows it.
			case FORBIDDEN ->
				mayPage ? Decision.list(state) : streamAgain(state, failure).showing(InformerState.FORBIDDEN);
			case BAD_REQUEST, UNSUPPORTED, INVALID, NOT_IMPLEMENTED ->
				mayPage ? Decision.list(notStreaming(state, now)) : streamAgain(state, failure);
			case NOT_FOUND -> streamAgain(state, failure).showing(InformerState.NOT_FOUND);
			case UNAUTHORIZED, CONFLICT, ALREADY_EXISTS, REJECTED, SERVER_ERROR, TIMEOUT, UNAVAILABLE, IO, SILENT,
					FLOODED, MALFORMED, MALFORMED_PROTOBUF ->
				streamAgain(state, failure);
			case INTERNAL -> unexpected(state);
		}, now);
	}

	private Decision streamAgain(ReflectorState state, Failure failure) {
		ReflectorState next = state.failed().with(state.streams().notOpened());
		return startOrList(next, next.streams().unopened()).afterBackoff(failure).showing(state.notLive());
	}

	/**
	 * Decides what follows a streaming list that ended before its marker.
	 * @param state the state
	 * @param failure what went wrong; {@code null} if the server ended it properly
	 * @param now the time, in nanoseconds
	 * @return the decision
	 */
	Decision streamInterrupted(ReflectorState state, @Nullable Failure failure, long now) {
		if (failure != null && failure.status() != null) {
			return streamFailed(state, failure, now);
		}
		ReflectorState next = state.failed().with(state.streams().wereInterrupted());
		if (failure != null && failure.problem() == Problem.MALFORMED_PROTOBUF) {
			next = malformed(next);
		}
		Decision again = startOrList(next, next.streams().interrupted());
		return unlessVerifying((failure != null) ? again.afterBackoff(failure) : again.afterBackoff(), now);
	}

	private Decision startOrList(ReflectorState state, int failedInARow) {
		return (failedInARow >= MOST_FAILED_STREAMS && this.mode == ListMode.AUTO) ? Decision.list(state)
				: Decision.start(state);
	}

	/**
	 * Decides what follows a streaming list that brought nothing new, and no marker, for
	 * too long: the server does not know of streaming lists, and takes the request for a
	 * watch.
	 * @param state the state
	 * @param now the time, in nanoseconds
	 * @return the decision
	 */
	Decision streamOverdue(ReflectorState state, long now) {
		return Decision.start(notStreaming(state, now));
	}

	private ReflectorState notStreaming(ReflectorState state, long now) {
		return state.with(state.streams().unsupported(now + this.timings.streamMemo().toNanos()));
	}

	private static ReflectorState malformed(ReflectorState state) {
		return state.with(state.encoding().listMalformed(MOST_MALFORMED_LISTS));
	}

	/**
	 * Decides what becomes of a complete streaming list.
	 * @param state the state
	 * @param request its request
	 * @param version the version of the marker
	 * @param now the time, in nanoseconds
	 * @return the decision: to store it and go on with the same stream, or to discard it
	 */
	CompleteList streamed(ReflectorState state, WatchRequest request, String version, long now) {
		return complete(state, request.resourceVersion(), version, now);
	}

	/**
	 * Returns the request for the first page of a list.
	 * @param state the state
	 * @return the request
	 */
	ListRequest listRequest(ReflectorState state) {
		String version = version(state.nextList(), state.versions().last());
		return new ListRequest(version, limit(state.nextList(), version), "");
	}

	private static String version(NextList list, String last) {
		if (list.fresh()) {
			return "";
		}
		return list.current() ? list.since() : (last.isEmpty() ? "0" : last);
	}

	/**
	 * Decides whether the first page is all that is read in pages. A page of the most
	 * recent state comes from etcd, or was cut out of the cache: each costs the server
	 * more than its part of one list. What its version shows to be current is in the
	 * cache of the server as soon as that has reached it.
	 * @param state the state
	 * @param request the request for the page
	 * @param header what the page said
	 * @return the decision to read all at once instead; {@code null} to go on
	 */
	@Nullable Decision insteadOfPages(ReflectorState state, ListRequest request, ListHeader header) {
		NextList next = state.nextList();
		boolean begun = next.current() && request.resourceVersion().isEmpty() && request.continueToken().isEmpty()
				&& next.cuts() == 0 && !next.pagedAtZero();
		String version = ResourceVersions.known(header.resourceVersion());
		if (!begun || this.pageSize > 0 || version.isEmpty()
				|| ResourceVersions.isOlder(version, state.versions().newest())) {
			return null;
		}
		return Decision.list(state.with(state.nextList().since(version)));
	}

	private int limit(NextList list, String version) {
		if (list.unpaged()) {
			return 0;
		}
		if (this.pageSize > 0) {
			return this.pageSize;
		}
		// With any other version, a limit would ask for exactly that version
		// (resourceVersionMatch=Exact).
		boolean mayBePaged = version.isEmpty() || version.equals("0") || list.pagedAtZero();
		return mayBePaged ? DEFAULT_PAGE_SIZE : 0;
	}

	/**
	 * Decides what becomes of a complete list.
	 * @param state the state
	 * @param request the request for its first page
	 * @param header what its first page said
	 * @param paged whether there was more than one page
	 * @param now the time, in nanoseconds
	 * @return the decision: to store it and watch, or to discard it and list again
	 */
	CompleteList listed(ReflectorState state, ListRequest request, ListHeader header, boolean paged, long now) {
		boolean pagedAtZero = paged && request.resourceVersion().equals("0");
		return complete(state.with(state.nextList().pagedAtZero(pagedAtZero)), request.resourceVersion(),
				header.resourceVersion(), now);
	}

	private CompleteList complete(ReflectorState state, String asked, String answered, long now) {
		String version = ResourceVersions.known(answered);
		String newest = state.versions().newest();
		boolean regression = ResourceVersions.isOlder(version, newest);
		boolean compareContent = regression || state.nextList().verifying();
		if (regression && !asked.isEmpty()) {
			return new CompleteList(Decision.start(state.failed().needingFresh()).afterBackoff(), true, compareContent);
		}
		ReflectorState stored = state.stored(version, regression ? version : ResourceVersions.newest(newest, version),
				now);
		return new CompleteList(Decision.watch(stored), regression, compareContent);
	}

	/**
	 * Decides what a list shows of the watches before it.
	 * @param before the state before the list
	 * @param stored what follows the list
	 * @param changed whether the list differed from the cache
	 * @return the decision
	 */
	Decision compared(ReflectorState before, Decision stored, boolean changed) {
		if (before.nextList().reason() != ListReason.SILENCE) {
			return stored;
		}
		ReflectorState state = stored.state();
		Heartbeat heartbeat = changed ? state.heartbeat().somethingWasMissed()
				: state.heartbeat().nothingWasMissed(before.doubts().isSilent());
		return new Decision(state.with(heartbeat), stored.step(), stored.pause(), stored.condition());
	}

	/**
	 * Decides what follows a page of a list that failed.
	 * @param state the state
	 * @param page the page
	 * @param now the time, in nanoseconds
	 * @return the decision
	 */
	Decision listFailed(ReflectorState state, FailedPage page, long now) {
		Failure failure = page.failure();
		ReflectorState failed = state.failed();
		return unlessVerifying(switch (failure.problem()) {
			case EXPIRED -> mayBeWhole(state, page) ? Decision.list(state.with(state.nextList().withoutPages()))
					: fresh(state, failure, Step.LIST);
			// The list was chosen for this round; what it asks for changes, not how.
			case TOO_LARGE, INVALID_VERSION -> fresh(state, failure, Step.LIST);
			case FORBIDDEN -> listAgain(failed, failure).showing(InformerState.FORBIDDEN);
			case NOT_FOUND -> listAgain(failed, failure).showing(InformerState.NOT_FOUND);
			case TIMEOUT -> listAgain(cut(failed), failure);
			case IO -> listAgain((page.begun() || page.isLate()) ? cut(failed) : failed, failure);
			case SILENT -> listAgain(page.isLate() ? cut(failed) : failed, failure);
			case MALFORMED_PROTOBUF -> listAgain(malformed(failed), failure);
			case BAD_REQUEST, UNAUTHORIZED, UNSUPPORTED, CONFLICT, ALREADY_EXISTS, INVALID, THROTTLED, REJECTED,
					SERVER_ERROR, NOT_IMPLEMENTED, UNAVAILABLE, REFUSED_CONNECTION, FLOODED, MALFORMED ->
				listAgain(failed, failure);
			case INTERNAL -> unexpected(state);
		}, now);
	}

	private static Decision listAgain(ReflectorState failed, Failure failure) {
		return Decision.start(failed).afterBackoff(failure).showing(failed.notLive());
	}

	private static boolean mayBeWhole(ReflectorState state, FailedPage page) {
		boolean needsPages = state.nextList().cuts() >= MOST_CUT_LISTS;
		return !page.isFirst() && !state.nextList().unpaged() && !needsPages;
	}

	private static ReflectorState cut(ReflectorState state) {
		return state.with(state.nextList().cut(MOST_CUT_LISTS));
	}

	/**
	 * Asks for the most recent state instead of that of a version. If that was asked for
	 * already, it is waited for.
	 * @param state the state
	 * @param failure what the server said of the version
	 * @param step how the state is asked for
	 * @return the decision
	 */
	private static Decision fresh(ReflectorState state, Failure failure, Step step) {
		return state.nextList().fresh() ? Decision.of(state.failed(), step).afterBackoff(failure)
				: Decision.of(state.needingFresh(), step);
	}

	/**
	 * Gives a verification up until the next time if its list failed and has to wait:
	 * nothing is known to be wrong, so that the watch does not wait for a server that
	 * cannot list.
	 * @param decision what would follow
	 * @param now the time, in nanoseconds
	 * @return what follows
	 */
	private static Decision unlessVerifying(Decision decision, long now) {
		ReflectorState state = decision.state();
		if (!state.nextList().verifying() || decision.pause().equals(Pause.NONE)) {
			return decision;
		}
		ReflectorState unverified = state.with(state.nextList().withoutVerification())
			.with(state.versions().comparedAt(now));
		return new Decision(unverified, Step.WATCH, decision.pause(), decision.condition());
	}

	/**
	 * Decides what follows an unexpected failure on this side, in whatever was under way.
	 * @param state the state
	 * @return the decision
	 */
	static Decision unexpected(ReflectorState state) {
		// What was stored in part must be listed, also where a verification began it.
		ReflectorState known = state.nextList().verifying()
				? state.with(state.nextList().withoutVerification()).needingFresh() : state;
		ReflectorState failed = known.failed().doubted();
		Decision again = state.versions().listed() ? Decision.relist(failed, ListReason.INTERNAL_ERROR)
				: Decision.start(failed);
		return again.afterBackoff().showing(state.notLive());
	}

}
