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
 * Protocol of watches, and of the probes before them: for a state and the outcome of a
 * request, what to do next. Pure functions, without I/O, clock or randomness.
 * <p>
 * The rules follow client-go's reflector ({@code tools/cache/reflector.go}), with one
 * difference: a failure that leaves the version usable resumes the watch instead of
 * listing. What follows from each problem is in the table of {@code docs/protocol.md}.
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
	 * Returns the request for a watch. It ends when it is time for a verification.
	 * @param state the state
	 * @param timeoutSeconds after how long the server shall end it at the latest
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
	 * Decides what follows a watch that could not be opened.
	 * @param state the state
	 * @param failure what went wrong
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
			// A server that denies has not lost anything. A server that has just started
			// may deny all requests until it has loaded its RBAC rules.
			case FORBIDDEN -> Decision.probeOrResume(failed).afterBackoff(failure).showing(InformerState.FORBIDDEN);
			case NOT_FOUND -> Decision.probeOrResume(failed).afterBackoff(failure).showing(InformerState.NOT_FOUND);
			case THROTTLED -> Decision.probeOrResume(failed).afterBackoff(failure).showing(state.notLive());
			// After any other failure, the server that comes back may have less than it
			// had.
			case TOO_LARGE, UNAUTHORIZED, UNSUPPORTED, CONFLICT, ALREADY_EXISTS, REJECTED, SERVER_ERROR,
					NOT_IMPLEMENTED, TIMEOUT, UNAVAILABLE, REFUSED_CONNECTION, IO, FLOODED, MALFORMED,
					MALFORMED_PROTOBUF ->
				Decision.probeOrResume(failed.needingProbe()).afterBackoff(failure).showing(state.notLive());
			// A proxy may buffer the headers of the answer, too.
			case SILENT -> Decision.probeOrResume(failed.with(failed.doubts().watchEmpty()).needingProbe())
				.afterBackoff(failure)
				.showing(state.notLive());
			case INTERNAL -> ListDecisions.unexpected(state);
		};
	}

	/**
	 * Decides what follows when the server has answered with its version.
	 * @param before the state
	 * @param version the version; empty if it has none
	 * @return the decision
	 */
	Decision probed(ReflectorState before, String version) {
		ReflectorState state = before.with(before.doubts().probed(before.heartbeat()));
		String known = ResourceVersions.known(version);
		if (ResourceVersions.isOlder(known, state.versions().last())) {
			// It was restored from a backup: a watch from a version ahead of it would
			// bring nothing.
			return Decision.relist(state.needingFresh(), ListReason.RESTORED).showing(InformerState.STALE);
		}
		if (before.doubts().isEmptyDoubted(before.heartbeat())
				&& ResourceVersions.isOlder(state.versions().last(), known)) {
			// The version moves with every object of the cluster, but what came since may
			// be in the buffer of a proxy. nginx with HTTP/2 drops its buffer when it
			// resets a stream.
			return Decision.relist(state.failed().needingFresh(), ListReason.SILENCE)
				.afterBackoff()
				.showing(InformerState.STALE);
		}
		// Without bookmarks, an idle watch is no sign of damage: this server is as it
		// should be.
		boolean quiet = state.doubts().isSilent() && !state.heartbeat().regular();
		return Decision.watch(quiet ? state.with(state.heartbeat().knownToBeQuiet()) : state);
	}

	/**
	 * Decides what follows when the server did not answer with its version. A server that
	 * lists nothing may watch all the same, so that the probe is given up after a second
	 * failure.
	 * @param state the state
	 * @param failure what went wrong
	 * @return the decision
	 */
	Decision notProbed(ReflectorState state, Failure failure) {
		ReflectorState next = state.with(state.doubts().probeFailed(MOST_FAILED_PROBES));
		return switch (failure.problem()) {
			// The watch shows what is wrong, if anything is.
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
	 * Returns by what a watch that was opened shows that the cache is live.
	 * @param state the state
	 * @return the proof
	 */
	WatchProof watchOpened(ReflectorState state) {
		if (state.doubts().isSilent() && !state.heartbeat().quiet()) {
			return WatchProof.EVENT;
		}
		// A server that has lost the version may open the watch, and say so by an event.
		return state.doubts().failed() ? WatchProof.TIME : WatchProof.OPEN;
	}

	/**
	 * Returns the state after an event or a bookmark.
	 * @param before the state
	 * @param type its type
	 * @param answered its version; empty if it has none
	 * @param now the time, in nanoseconds
	 * @return the state from now on
	 */
	ReflectorState received(ReflectorState before, WatchEventType type, String answered, long now) {
		ReflectorState state = (type == WatchEventType.BOOKMARK)
				? before.with(before.heartbeat().bookmarked(now, this.timings.idleTimeout())) : before;
		String last = state.versions().last();
		String newest = state.versions().newest();
		String version = ResourceVersions.known(answered);
		// A watch from "" begins with any state; its versions are those of objects.
		boolean synthetic = last.isEmpty() && type == WatchEventType.ADDED;
		// Bookmarks may lag behind (kubernetes#95145), and a deletion may carry the
		// version of the last change (kubernetes#58545). To resume there would replay
		// what came since.
		boolean moves = !version.isEmpty() && !synthetic && !ResourceVersions.isOlder(version, last);
		return moves ? state.advanced(version, ResourceVersions.newest(newest, version)) : state.advanced(last, newest);
	}

	/**
	 * Decides what follows an open watch that ended.
	 * @param before the state
	 * @param end how it ended
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
	 * Resumes a watch that the server closed, or compares the cache with the server when
	 * it is time: one that was restored from a backup, and has passed the version of the
	 * cache already, shows nothing of it on the wire.
	 * @param state the state
	 * @param end how the watch ended
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
	 * Doubts a watch that brought nothing but filler as one that was silent. The next one
	 * waits in any case: a flood costs a processor for as long as it is read.
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
	 * Lists again because the version has expired. That is the answer of a healthy
	 * server, such as one that was restarted: after an outage nobody should wait for a
	 * list as long as for the server. Only versions that expire again and again back off:
	 * expirations add up until watches have lived for a while, whatever they brought, or
	 * a client that is too slow for its events would list at full speed.
	 * @param before the state
	 * @param failure what the server said
	 * @return the decision
	 */
	private static Decision expired(ReflectorState before, Failure failure) {
		ReflectorState state = before.expired();
		return Decision.relist(state, ListReason.EXPIRED)
			.after(Pause.backoff(state.failures().expirations(), failure.retryAfter()))
			.showing(InformerState.STALE);
	}

}
