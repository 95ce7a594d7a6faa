package dev.kubeinformer.internal.reflector;

import java.time.Duration;

import dev.kubeinformer.internal.failure.Failure;
import dev.kubeinformer.internal.reflector.Decision.Step;
import dev.kubeinformer.internal.text.ResourceVersions;
import dev.kubeinformer.internal.transport.WatchRequest;
import dev.kubeinformer.types.InformerState;
import dev.kubeinformer.types.ListReason;
import dev.kubeinformer.types.Problem;
import dev.kubeinformer.types.WatchEventType;

/**
 * Rules for watches, and for the probes before them. They decide the next step from the
 * state of the reflector and the outcome of a request. A probe requests only the current
 * version of the server. Pure functions, without I/O, clock or randomness.
 * <p>
 * The rules follow client-go's reflector ({@code tools/cache/reflector.go}), with one
 * difference: after a failure that leaves the version usable, the watch is resumed
 * instead of listing. The table in {@code docs/protocol.md} shows the consequence of each
 * problem.
 */
final class WatchDecisions {

	private static final int MOST_BROKEN_FRAMES = 3;

	private static final int MOST_SILENT_WATCHES = 3;

	private static final int MOST_FAILED_PROBES = 2;

	private final ReflectorTimings timings;

	/**
	 * Creates the rules.
	 * @param timings the durations
	 */
	WatchDecisions(ReflectorTimings timings) {
		this.timings = timings;
	}

	/**
	 * Returns the request for a watch. The watch ends in time for the next verification.
	 * @param state the state
	 * @param timeoutSeconds the duration after which the server should end the watch at
	 * the latest
	 * @param now the time, in nanoseconds
	 * @return the request
	 */
	WatchRequest watchRequest(ReflectorState state, int timeoutSeconds, long now) {
		int timeout = verifies()
				? (int) Math.min(timeoutSeconds, Math.max(1, untilVerification(state, now).toSeconds() + 1))
				: timeoutSeconds;
		return new WatchRequest(state.versions().last(), timeout, false, state.heartbeat().quiet());
	}

	private boolean verifies() {
		return !this.timings.verifyEvery().isZero();
	}

	private Duration untilVerification(ReflectorState state, long now) {
		long since = state.versions().listed() ? now - state.versions().comparedAt() : 0;
		return this.timings.verifyEvery().minusNanos(since);
	}

	/**
	 * Decides the next step after a watch that could not be opened.
	 * @param state the state
	 * @param failure the failure
	 * @return the decision
	 */
	Decision watchNotOpened(ReflectorState state, Failure failure) {
		ReflectorState failed = state.failed().doubted();
		return switch (failure.problem()) {
			case EXPIRED -> expired(state, failure);
			case INVALID_VERSION, BAD_REQUEST,
					INVALID ->
				Decision.relist(failed.needingFresh(), ListReason.INVALID_VERSION)
					.afterBackoff(failure)
					.showing(InformerState.STALE);
			// A server that denies a request has not lost its state: after its start, it
			// may deny all requests until it has loaded its RBAC rules.
			case FORBIDDEN -> Decision.probeOrResume(failed).afterBackoff(failure).showing(InformerState.FORBIDDEN);
			case NOT_FOUND -> Decision.probeOrResume(failed).afterBackoff(failure).showing(InformerState.NOT_FOUND);
			case THROTTLED -> Decision.probeOrResume(failed).afterBackoff(failure).showing(state.notLive());
			// After any other failure, the server may return with an older state.
			case TOO_LARGE, UNAUTHORIZED, UNSUPPORTED, CONFLICT, ALREADY_EXISTS, REJECTED, SERVER_ERROR,
					NOT_IMPLEMENTED, TIMEOUT, UNAVAILABLE, REFUSED_CONNECTION, IO, FLOODED, MALFORMED,
					MALFORMED_PROTOBUF ->
				Decision.probeOrResume(failed.needingProbe()).afterBackoff(failure).showing(state.notLive());
			// A proxy may even buffer the response headers.
			case SILENT -> Decision.probeOrResume(failed.with(failed.doubts().watchEmpty()).needingProbe())
				.afterBackoff(failure)
				.showing(state.notLive());
			case INTERNAL -> ListDecisions.unexpected(state);
		};
	}

	/**
	 * Decides the next step when the server has returned its version.
	 * @param before the state
	 * @param version the version; empty if the server has none
	 * @return the decision
	 */
	Decision probed(ReflectorState before, String version) {
		ReflectorState state = before.with(before.doubts().probed(before.heartbeat()));
		String known = ResourceVersions.known(version);
		if (ResourceVersions.isOlder(known, state.versions().last())) {
			// The server was restored from a backup: a watch from a version ahead of it
			// would be silent.
			return Decision.relist(state.needingFresh(), ListReason.RESTORED).showing(InformerState.STALE);
		}
		if (before.doubts().isEmptyDoubted(before.heartbeat())
				&& ResourceVersions.isOlder(state.versions().last(), known)) {
			// Any change in the cluster moves the version, but a proxy's buffer may hold
			// events of this collection. nginx with HTTP/2 drops its buffer when it
			// resets a stream.
			return Decision.relist(state.failed().needingFresh(), ListReason.SILENCE)
				.afterBackoff()
				.showing(InformerState.STALE);
		}
		// Without bookmarks, a silent watch is not a sign of damage: this server works as
		// expected.
		boolean quiet = state.doubts().isSilent() && !state.heartbeat().regular();
		return Decision.watch(quiet ? state.with(state.heartbeat().knownToBeQuiet()) : state);
	}

	/**
	 * Decides the next step when the server did not return its version. A server that
	 * cannot list may still support watches, so the probe is given up after a second
	 * failure.
	 * @param state the state
	 * @param failure the failure
	 * @return the decision
	 */
	Decision notProbed(ReflectorState state, Failure failure) {
		ReflectorState next = state.with(state.doubts().probeFailed(MOST_FAILED_PROBES));
		return switch (failure.problem()) {
			// The watch will show the problem, if there is one.
			case EXPIRED, INVALID_VERSION, BAD_REQUEST, UNAUTHORIZED, FORBIDDEN, NOT_FOUND, UNSUPPORTED, CONFLICT,
					ALREADY_EXISTS, INVALID, REJECTED ->
				Decision.watch(next);
			case TOO_LARGE, THROTTLED, SERVER_ERROR, NOT_IMPLEMENTED, TIMEOUT, UNAVAILABLE, REFUSED_CONNECTION, IO,
					SILENT, FLOODED, MALFORMED, MALFORMED_PROTOBUF ->
				Decision.probeOrResume(next.failed()).afterBackoff(failure).showing(state.notLive());
			case INTERNAL -> ListDecisions.unexpected(state);
		};
	}

	/**
	 * Returns the proof that an opened watch must give before the cache counts as live.
	 * @param state the state
	 * @return the proof
	 */
	WatchProof watchOpened(ReflectorState state) {
		if (state.doubts().isSilent() && !state.heartbeat().quiet()) {
			return WatchProof.EVENT;
		}
		// A server that has lost the version may open the watch and report the loss by an
		// event.
		return state.doubts().failed() ? WatchProof.TIME : WatchProof.OPEN;
	}

	/**
	 * Returns the state after an event or a bookmark.
	 * @param before the state
	 * @param type the type of the event
	 * @param answered the version of the event; empty if it has none
	 * @param now the time, in nanoseconds
	 * @return the new state
	 */
	ReflectorState received(ReflectorState before, WatchEventType type, String answered, long now) {
		ReflectorState state = (type == WatchEventType.BOOKMARK)
				? before.with(before.heartbeat().bookmarked(now, this.timings.idleTimeout())) : before;
		String last = state.versions().last();
		String newest = state.versions().newest();
		String version = ResourceVersions.known(answered);
		// The first events of a watch from version "" show an arbitrary state, and have
		// the versions of its objects.
		boolean synthetic = last.isEmpty() && type == WatchEventType.ADDED;
		// Bookmarks may lag behind (kubernetes#95145), and a deletion may carry the
		// version of the object's last change (kubernetes#58545). Resuming from such a
		// version would replay later events.
		boolean moves = !version.isEmpty() && !synthetic && !ResourceVersions.isOlder(version, last);
		return moves ? state.advanced(version, ResourceVersions.newest(newest, version)) : state.advanced(last, newest);
	}

	/**
	 * Decides the next step after an open watch ended.
	 * @param before the state
	 * @param end the end of the watch
	 * @param now the time, in nanoseconds
	 * @return the decision
	 */
	Decision watchEnded(ReflectorState before, WatchEnd end, long now) {
		WatchFailureCounts doubts = end.isCutEmpty() ? before.doubts().watchEmpty() : before.doubts().watchNotEmpty();
		ReflectorState lived = before.with(doubts).lived(end.lived(), this.timings.backoffReset());
		Failure failure = end.failure();
		if (failure == null || failure.isClosedHere()) {
			return closed(lived, end, now);
		}
		ReflectorState state = lived.doubted();
		return switch (failure.problem()) {
			case EXPIRED -> expired(state, failure);
			case THROTTLED -> Decision.resume(state.failed()).afterBackoff(failure).showing(InformerState.STALE);
			case TOO_LARGE, INVALID_VERSION, BAD_REQUEST, UNAUTHORIZED, FORBIDDEN, NOT_FOUND, UNSUPPORTED, CONFLICT,
					ALREADY_EXISTS, INVALID, REJECTED, SERVER_ERROR, NOT_IMPLEMENTED, TIMEOUT, UNAVAILABLE ->
				errorEvent(state.failed(), failure, now);
			case MALFORMED, MALFORMED_PROTOBUF -> brokenFrame(state, end, failure);
			case SILENT -> silent(state.with(state.doubts().watchSilent()), end);
			case FLOODED -> flooded(state.with(state.doubts().watchSilent()).failed());
			case IO, REFUSED_CONNECTION -> resumeUnlessShort(state, end).showing(InformerState.STALE);
			case INTERNAL -> ListDecisions.unexpected(state);
		};
	}

	/**
	 * Decides the next step after this process ended a watch because shard slots were
	 * gained or lost.
	 * @param state the state
	 * @param end the end of the watch
	 * @return the decision: to open the watch again at once
	 */
	Decision watchTurned(ReflectorState state, WatchEnd end) {
		return Decision.resume(state.lived(end.lived(), this.timings.backoffReset()));
	}

	/**
	 * Resumes a watch that the server closed, or compares the cache with the server if
	 * that is due. The comparison finds a server that was restored from a backup and
	 * whose version has since become greater than the version of the cache. A watch does
	 * not show this.
	 * @param state the state
	 * @param end the end of the watch
	 * @param now the time, in nanoseconds
	 * @return the decision
	 */
	private Decision closed(ReflectorState state, WatchEnd end, long now) {
		Decision resumed = resumeUnlessShort(state, end);
		boolean due = verifies() && resumed.step() != Step.START
				&& untilVerification(state, now).compareTo(Duration.ZERO) <= 0;
		return due ? Decision.start(resumed.state().verifying()) : resumed;
	}

	private Decision resumeUnlessShort(ReflectorState state, WatchEnd end) {
		boolean tooShort = end.lived().compareTo(this.timings.shortWatch()) < 0 && !end.events();
		ReflectorState next = tooShort ? state.failed() : state;
		Decision resumed = state.doubts().isEmptyTooOften(state.heartbeat())
				? Decision.probeOrResume(next.needingProbe()) : Decision.resume(next);
		return tooShort ? resumed.afterBackoff() : resumed;
	}

	private Decision silent(ReflectorState state, WatchEnd end) {
		int silentWatches = state.doubts().silentWatches();
		if (isSilentForTooLong(state)) {
			return Decision.relist(state.failed().needingFresh(), ListReason.SILENCE)
				.afterBackoff()
				.showing(InformerState.STALE);
		}
		Decision resumed = resumeUnlessShort(state, end).showing(InformerState.STALE);
		return (silentWatches > 1) ? Decision.probeOrResume(resumed.state().needingProbe())
			.after(resumed.pause())
			.showing(InformerState.STALE) : resumed;
	}

	private static boolean isSilentForTooLong(ReflectorState state) {
		return state.doubts().silentWatches() > MOST_SILENT_WATCHES && state.heartbeat().regular();
	}

	/**
	 * Treats a watch on which only filler bytes arrived like a silent watch. The next
	 * watch always waits, because reading a flood of such bytes keeps a CPU core busy.
	 * @param failed the state
	 * @return the decision
	 */
	private static Decision flooded(ReflectorState failed) {
		if (isSilentForTooLong(failed)) {
			return Decision.relist(failed.needingFresh(), ListReason.SILENCE)
				.afterBackoff()
				.showing(InformerState.STALE);
		}
		boolean again = failed.doubts().silentWatches() > 1;
		return (again ? Decision.probeOrResume(failed.needingProbe()) : Decision.resume(failed)).afterBackoff()
			.showing(InformerState.STALE);
	}

	private Decision errorEvent(ReflectorState failed, Failure failure, long now) {
		ReflectorState state = failed.with(failed.doubts().errorEvent(now));
		Long since = state.doubts().errorEventsSince();
		boolean tooLong = since != null && now - since > this.timings.errorEventPatience().toNanos();
		return (tooLong ? Decision.relist(state, ListReason.ERROR_EVENTS) : Decision.resume(state))
			.afterBackoff(failure)
			.showing(InformerState.STALE);
	}

	private Decision brokenFrame(ReflectorState before, WatchEnd end, Failure failure) {
		ReflectorState state = before.with(before.doubts().frameBroken());
		if (state.doubts().brokenFrames() < MOST_BROKEN_FRAMES) {
			return resumeUnlessShort(state, end).showing(InformerState.STALE);
		}
		ReflectorState failed = state.failed();
		ReflectorState next = (failure.problem() == Problem.MALFORMED_PROTOBUF)
				? failed.with(failed.encoding().avoidingProtobuf()) : failed;
		return Decision.relist(next, ListReason.BROKEN_FRAMES).afterBackoff().showing(InformerState.STALE);
	}

	/**
	 * Lists again because the version has expired. A healthy server responds like this
	 * after a restart, so the list after an outage must not wait. Only versions that
	 * expire repeatedly cause a backoff. Expirations are counted until watches have been
	 * open for a while, with or without events. Otherwise a client that is too slow for
	 * its events would list without a pause.
	 * @param before the state
	 * @param failure the response of the server
	 * @return the decision
	 */
	private static Decision expired(ReflectorState before, Failure failure) {
		ReflectorState state = before.expired();
		return Decision.relist(state, ListReason.EXPIRED)
			.after(Pause.backoff(state.failures().expirations(), failure.retryAfter()))
			.showing(InformerState.STALE);
	}

}
