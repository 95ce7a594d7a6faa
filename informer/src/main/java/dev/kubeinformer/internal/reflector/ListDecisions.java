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
 * Rules for reading full states: decide on the next step, and on the outcome of a list.
 * Pure functions, without I/O, clock or randomness.
 * <p>
 * The rules follow client-go's reflector ({@code tools/cache/reflector.go}). The table in
 * {@code docs/protocol.md} shows the consequence of each problem.
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
	 * @param mode the configured way of requesting full states
	 * @param pageSize the configured number of items of a page; 0 for the default
	 */
	ListDecisions(ReflectorTimings timings, ListMode mode, int pageSize) {
		this.timings = timings;
		this.mode = mode;
		this.pageSize = pageSize;
	}

	/**
	 * Returns the kind of request for a full state.
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
	 * @param timeoutSeconds the duration after which the server should end the stream
	 * @return the request
	 */
	WatchRequest streamRequest(ReflectorState state, int timeoutSeconds) {
		boolean latest = state.nextList().fresh() || state.nextList().current();
		return new WatchRequest(latest ? "" : state.versions().last(), timeoutSeconds, true, false);
	}

	/**
	 * Decides the next step after a streaming list that could not be opened, or that an
	 * error event ended before its marker.
	 * @param state the state
	 * @param failure the failure
	 * @param now the time, in nanoseconds
	 * @return the decision
	 */
	Decision streamFailed(ReflectorState state, Failure failure, long now) {
		boolean mayPage = this.mode == ListMode.AUTO;
		return unlessVerifying(switch (failure.problem()) {
			case EXPIRED, TOO_LARGE, INVALID_VERSION -> fresh(state, failure, Step.START);
			case THROTTLED, REFUSED_CONNECTION ->
				Decision.start(state.failed()).afterBackoff(failure).showing(state.notLive());
			// Perhaps only the permission to watch is missing. A list shows whether that
			// is so.
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
	 * Decides the next step after a streaming list that ended before its marker.
	 * @param state the state
	 * @param failure the failure; {@code null} if the server closed the stream properly
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
	 * Decides the next step after a streaming list that received neither its marker nor a
	 * new object for too long. Such a server does not support streaming lists, and treats
	 * the request as a watch.
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
	 * Decides whether a complete streaming list is stored.
	 * @param state the state
	 * @param request the request for the stream
	 * @param version the version of the marker
	 * @param now the time, in nanoseconds
	 * @return the decision: to store the list and continue with the same stream, or to
	 * discard the list
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
	 * Decides whether to stop after the first page and to read everything as one list. A
	 * list in pages costs the server more than a single list, because the server reads
	 * each page of the most recent state from etcd or cuts it out of its cache. The
	 * version of the first page is current. The server can serve a list of at least that
	 * version from its cache, once the cache has reached it.
	 * @param state the state
	 * @param request the request for the page
	 * @param header the header of the page
	 * @return the decision to read everything at once instead; {@code null} to continue
	 * with pages
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
	 * Decides whether a complete list is stored.
	 * @param state the state
	 * @param request the request for its first page
	 * @param header the header of its first page
	 * @param paged whether there was more than one page
	 * @param now the time, in nanoseconds
	 * @return the decision: to store the list and watch, or to discard it and list again
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
	 * Concludes from a list whether the previous watches have missed changes.
	 * @param before the state before the list
	 * @param stored the decision after the list
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
	 * Decides the next step after a page of a list that failed.
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
			// The next request is a list again; only its parameters change.
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
	 * Requests the most recent state instead of the state at a version. If the failed
	 * request was for the most recent state, repeats it after a wait.
	 * @param state the state
	 * @param failure the failure that concerns the version
	 * @param step the kind of request
	 * @return the decision
	 */
	private static Decision fresh(ReflectorState state, Failure failure, Step step) {
		return state.nextList().fresh() ? Decision.of(state.failed(), step).afterBackoff(failure)
				: Decision.of(state.needingFresh(), step);
	}

	/**
	 * Gives up a failed verification (a list that finds damage in the cache) if it could
	 * be repeated only after a wait. Nothing shows that the cache is wrong, so the watch
	 * does not wait for a server that cannot list. The next verification follows when it
	 * is due.
	 * @param decision the decision that applies to any other list
	 * @param now the time, in nanoseconds
	 * @return the decision
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
	 * Decides the next step after an unexpected failure of the client during any request.
	 * @param state the state
	 * @return the decision
	 */
	static Decision unexpected(ReflectorState state) {
		// A list that was stored in part must be repeated, even if it was a verification.
		ReflectorState known = state.nextList().verifying()
				? state.with(state.nextList().withoutVerification()).needingFresh() : state;
		ReflectorState failed = known.failed().doubted();
		Decision again = state.versions().listed() ? Decision.relist(failed, ListReason.INTERNAL_ERROR)
				: Decision.start(failed);
		return again.afterBackoff().showing(state.notLive());
	}

}
