package dev.kubeinformer.reflector;

import java.time.Duration;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

import dev.kubeinformer.codec.ApiStatus;
import dev.kubeinformer.codec.ListHeader;
import dev.kubeinformer.reflector.Decision.Step;
import dev.kubeinformer.transport.ListRequest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/**
 * The protocol as a table: state and outcome on the left, what follows on the right.
 */
class ReflectorDecisionsTests {

	private static final Duration LONG = Duration.ofMinutes(5);

	private static final Duration MIDDLE = Duration.ofSeconds(10);

	private static final Duration SHORT = Duration.ofMillis(10);

	private static final Failure IO = new Failure(Failure.Kind.IO, null, "ConnectException", "refused");

	private static final Failure SILENCE = new Failure(Failure.Kind.SILENCE, null, "SocketTimeoutException", "timeout");

	private static final Failure MALFORMED = new Failure(Failure.Kind.MALFORMED, null, "MalformedResponseException",
			"");

	private final ReflectorDecisions decisions = new ReflectorDecisions(ReflectorTimings.defaults(), 0);

	private final ReflectorState fresh = ReflectorState.initial("");

	private final ReflectorState watching = this.fresh.stored("100", "100", false);

	@ParameterizedTest
	@CsvSource({
			// last, needFresh, pagedAtZero, unpaged -> resourceVersion, limit
			"'',  false, false, false, 0,   500", "100, false, false, false, 100, 0",
			"100, true,  false, false, '',  500", "'',  true,  false, false, '',  500",
			"100, false, true,  false, 100, 500", "100, false, true,  true,  100, 0",
			"'',  false, false, true,  0,   0" })
	void listIsAskedForAtTheLastVersionUnlessItMustBeFresh(String last, boolean needFresh, boolean pagedAtZero,
			boolean unpaged, String resourceVersion, int limit) {
		ReflectorState state = new ReflectorState(last, last, false, needFresh, pagedAtZero, unpaged, 0, 0, null,
				false);
		assertThat(this.decisions.listRequest(state)).isEqualTo(new ListRequest(resourceVersion, limit, ""));
	}

	@Test
	void configuredPageSizeIsAlwaysUsed() {
		ReflectorDecisions paging = new ReflectorDecisions(ReflectorTimings.defaults(), 4);
		assertThat(paging.listRequest(this.watching).limit()).isEqualTo(4);
		assertThat(paging.listRequest(this.fresh).limit()).isEqualTo(4);
	}

	@Test
	void completeListIsStoredAndWatched() {
		Decision decision = this.decisions.listed(this.fresh.needingFresh(), new ListRequest("", 500, ""),
				new ListHeader("41", ""), false);
		assertThat(decision.step()).isEqualTo(Step.WATCH);
		assertThat(decision.state().lastVersion()).isEqualTo("41");
		assertThat(decision.state().needFresh()).isFalse();
		assertThat(decision.state().listed()).isTrue();
		assertThat(decision.pause().kind()).isEqualTo(Pause.Kind.NONE);
	}

	@ParameterizedTest
	@CsvSource({ "0, true, true", "0, false, false", "100, true, false" })
	void listThatCameInPagesAtZeroIsRemembered(String version, boolean paged, boolean remembered) {
		Decision decision = this.decisions.listed(this.fresh, new ListRequest(version, 500, ""),
				new ListHeader("100", ""), paged);
		assertThat(decision.state().pagedAtZero()).isEqualTo(remembered);
	}

	@ParameterizedTest
	@CsvSource({
			// newest seen, asked for, answered -> step, needFresh afterwards
			"100, 100, 99,  LIST,  true", "100, 0,   99,  LIST,  true", "100, '',  99,  WATCH, false",
			"100, 100, 100, WATCH, false", "100, 100, 101, WATCH, false", "99,  99,  100, WATCH, false" })
	void listOlderThanWhatWasSeenIsDiscardedUnlessItIsAuthoritative(String newest, String asked, String answered,
			Step step, boolean needFresh) {
		ReflectorState state = ReflectorState.initial(newest);
		Decision decision = this.decisions.listed(state, new ListRequest(asked, 0, ""), new ListHeader(answered, ""),
				false);
		assertThat(decision.step()).isEqualTo(step);
		assertThat(decision.state().needFresh()).isEqualTo(needFresh);
		if (step == Step.WATCH) {
			assertThat(decision.state().newestSeen()).isEqualTo(answered);
		}
	}

	static Stream<Arguments> failedLists() {
		return Stream.of(
				// failure, page, needFresh before -> needFresh, unpaged, pause, condition
				arguments(status(410, "Expired"), "", false, true, false, Pause.Kind.NONE, null),
				arguments(status(410, "Expired"), "", true, true, false, Pause.Kind.BACKOFF, null),
				arguments(status(410, "Expired"), "next", false, false, true, Pause.Kind.NONE, null),
				arguments(tooLargeByCause(), "", false, true, false, Pause.Kind.NONE, null),
				arguments(tooLargeByMessage(), "", false, true, false, Pause.Kind.NONE, null),
				arguments(tooLargeByMessage(), "", true, true, false, Pause.Kind.BACKOFF, null),
				arguments(invalidVersion(400), "", false, true, false, Pause.Kind.NONE, null),
				arguments(invalidVersion(500), "", false, true, false, Pause.Kind.NONE, null),
				arguments(status(403, "Forbidden"), "", false, false, false, Pause.Kind.BACKOFF, Condition.FORBIDDEN),
				arguments(status(404, "NotFound"), "", false, false, false, Pause.Kind.BACKOFF, Condition.NOT_FOUND),
				arguments(status(429, "TooManyRequests"), "", false, false, false, Pause.Kind.BACKOFF,
						Condition.SYNCING),
				arguments(status(500, "InternalError"), "", false, false, false, Pause.Kind.BACKOFF, Condition.SYNCING),
				arguments(status(503, ""), "next", false, false, false, Pause.Kind.BACKOFF, Condition.SYNCING),
				arguments(IO, "", false, false, false, Pause.Kind.BACKOFF, Condition.SYNCING),
				arguments(MALFORMED, "", false, false, false, Pause.Kind.BACKOFF, Condition.SYNCING));
	}

	@ParameterizedTest
	@MethodSource("failedLists")
	void failedListIsRepeated(Failure failure, String page, boolean fresh, boolean needFresh, boolean unpaged,
			Pause.Kind pause, @Nullable Condition condition) {
		ReflectorState state = fresh ? this.fresh.needingFresh() : this.fresh;
		Decision decision = this.decisions.listFailed(state, new ListRequest("0", 500, page), failure);
		assertThat(decision.step()).isEqualTo(Step.LIST);
		assertThat(decision.state().needFresh()).isEqualTo(needFresh);
		assertThat(decision.state().unpaged()).isEqualTo(unpaged);
		assertThat(decision.pause().kind()).isEqualTo(pause);
		assertThat(decision.condition()).isEqualTo(condition);
	}

	@Test
	void failedRelistLeavesTheCacheStale() {
		Decision decision = this.decisions.listFailed(this.watching, new ListRequest("100", 0, ""), IO);
		assertThat(decision.condition()).isEqualTo(Condition.STALE);
	}

	static Stream<Arguments> unopenedWatches() {
		return Stream.of(
				// failure -> step, needFresh, pause, condition
				arguments(status(410, "Expired"), Step.LIST, false, Pause.Kind.BACKOFF, Condition.STALE),
				arguments(status(400, "BadRequest"), Step.LIST, true, Pause.Kind.BACKOFF, Condition.STALE),
				arguments(status(422, "Invalid"), Step.LIST, true, Pause.Kind.BACKOFF, Condition.STALE),
				arguments(invalidVersion(500), Step.LIST, true, Pause.Kind.BACKOFF, Condition.STALE),
				arguments(status(403, "Forbidden"), Step.WATCH, false, Pause.Kind.CAP, Condition.FORBIDDEN),
				arguments(status(404, "NotFound"), Step.WATCH, false, Pause.Kind.CAP, Condition.NOT_FOUND),
				arguments(status(401, "Unauthorized"), Step.WATCH, false, Pause.Kind.BACKOFF, Condition.STALE),
				arguments(status(429, "TooManyRequests"), Step.WATCH, false, Pause.Kind.BACKOFF, Condition.STALE),
				arguments(status(500, "InternalError"), Step.WATCH, false, Pause.Kind.BACKOFF, Condition.STALE),
				arguments(status(502, ""), Step.WATCH, false, Pause.Kind.BACKOFF, Condition.STALE),
				arguments(status(503, ""), Step.WATCH, false, Pause.Kind.BACKOFF, Condition.STALE),
				arguments(status(504, "Timeout"), Step.WATCH, false, Pause.Kind.BACKOFF, Condition.STALE),
				arguments(IO, Step.WATCH, false, Pause.Kind.BACKOFF, Condition.STALE),
				arguments(SILENCE, Step.WATCH, false, Pause.Kind.BACKOFF, Condition.STALE));
	}

	@ParameterizedTest
	@MethodSource("unopenedWatches")
	void watchThatDoesNotOpenIsTriedAgainAtTheSameVersion(Failure failure, Step step, boolean needFresh,
			Pause.Kind pause, Condition condition) {
		Decision decision = this.decisions.watchNotOpened(this.watching, failure);
		assertThat(decision.step()).isEqualTo(step);
		assertThat(decision.state().lastVersion()).isEqualTo("100");
		assertThat(decision.state().needFresh()).isEqualTo(needFresh);
		assertThat(decision.state().failures()).isEqualTo(1);
		assertThat(decision.pause().kind()).isEqualTo(pause);
		assertThat(decision.condition()).isEqualTo(condition);
	}

	static Stream<Arguments> endedWatches() {
		return Stream.of(
				// failure, lived, events -> step, failures, pause, condition
				arguments(null, MIDDLE, false, Step.WATCH, 0, Pause.Kind.NONE, null),
				arguments(null, SHORT, true, Step.WATCH, 0, Pause.Kind.NONE, null),
				arguments(null, SHORT, false, Step.WATCH, 1, Pause.Kind.BACKOFF, null),
				arguments(IO, MIDDLE, false, Step.WATCH, 0, Pause.Kind.NONE, Condition.STALE),
				arguments(IO, SHORT, false, Step.WATCH, 1, Pause.Kind.BACKOFF, Condition.STALE),
				arguments(SILENCE, LONG, false, Step.WATCH, 0, Pause.Kind.NONE, Condition.STALE),
				arguments(MALFORMED, MIDDLE, true, Step.WATCH, 0, Pause.Kind.NONE, Condition.STALE),
				arguments(status(410, "Expired"), MIDDLE, true, Step.LIST, 1, Pause.Kind.BACKOFF, Condition.STALE),
				arguments(status(429, "TooManyRequests"), MIDDLE, true, Step.WATCH, 1, Pause.Kind.BACKOFF,
						Condition.STALE),
				arguments(status(500, "InternalError"), MIDDLE, true, Step.WATCH, 1, Pause.Kind.BACKOFF,
						Condition.STALE));
	}

	@ParameterizedTest
	@MethodSource("endedWatches")
	void endedWatchIsResumedUnlessTheVersionHasExpired(@Nullable Failure failure, Duration lived, boolean events,
			Step step, int failures, Pause.Kind pause, @Nullable Condition condition) {
		Decision decision = this.decisions.watchEnded(this.watching, new WatchEnd(failure, lived, events), 0);
		assertThat(decision.step()).isEqualTo(step);
		assertThat(decision.state().lastVersion()).isEqualTo("100");
		assertThat(decision.state().needFresh()).isFalse();
		assertThat(decision.state().failures()).isEqualTo(failures);
		assertThat(decision.pause().kind()).isEqualTo(pause);
		assertThat(decision.condition()).isEqualTo(condition);
	}

	@Test
	void failuresAreForgottenByAWatchThatLivedLongOnly() {
		ReflectorState failed = this.watching.failed().failed();
		assertThat(this.decisions.watchEnded(failed, new WatchEnd(null, MIDDLE, true), 0).state().failures())
			.isEqualTo(2);
		assertThat(this.decisions.watchEnded(failed, new WatchEnd(null, LONG, true), 0).state().failures()).isZero();
	}

	@Test
	void thirdBrokenFrameInARowAtOneVersionCostsAList() {
		WatchEnd broken = new WatchEnd(MALFORMED, MIDDLE, true);
		Decision first = this.decisions.watchEnded(this.watching, broken, 0);
		Decision second = this.decisions.watchEnded(first.state(), broken, 0);
		Decision third = this.decisions.watchEnded(second.state(), broken, 0);
		assertThat(first.step()).isEqualTo(Step.WATCH);
		assertThat(second.step()).isEqualTo(Step.WATCH);
		assertThat(third.step()).isEqualTo(Step.LIST);
		ReflectorState afterEvent = this.decisions.received(second.state(), "101");
		assertThat(this.decisions.watchEnded(afterEvent, broken, 0).step()).isEqualTo(Step.WATCH);
	}

	@Test
	void errorEventsAreAnsweredByResumingForThirtySecondsOnly() {
		WatchEnd error = new WatchEnd(status(500, "InternalError"), MIDDLE, false);
		Decision first = this.decisions.watchEnded(this.watching, error, 0);
		Decision inTime = this.decisions.watchEnded(first.state(), error, Duration.ofSeconds(30).toNanos());
		Decision late = this.decisions.watchEnded(first.state(), error, Duration.ofSeconds(31).toNanos());
		assertThat(inTime.step()).isEqualTo(Step.WATCH);
		assertThat(late.step()).isEqualTo(Step.LIST);
		ReflectorState afterEvent = this.decisions.received(first.state(), "101");
		assertThat(this.decisions.watchEnded(afterEvent, error, Duration.ofSeconds(90).toNanos()).step())
			.isEqualTo(Step.WATCH);
	}

	@Test
	void watchAfterSilenceShowsItselfAliveByItsFirstEventOnly() {
		Decision silent = this.decisions.watchEnded(this.watching, new WatchEnd(SILENCE, LONG, false), 0);
		assertThat(this.decisions.watchOpened(this.watching)).isEqualTo(Condition.LIVE);
		assertThat(this.decisions.watchOpened(silent.state())).isNull();
		ReflectorState alive = this.decisions.received(silent.state(), "100");
		assertThat(this.decisions.watchOpened(alive)).isEqualTo(Condition.LIVE);
	}

	@Test
	void emptyVersionOfAnEventNeverReplacesAKnownOne() {
		assertThat(this.decisions.received(this.watching, "").lastVersion()).isEqualTo("100");
		assertThat(this.decisions.received(this.watching, "105").lastVersion()).isEqualTo("105");
	}

	@Test
	void watchWithoutAVersionCannotBeResumed() {
		ReflectorState unversioned = this.fresh.stored("", "", false);
		Decision decision = this.decisions.watchEnded(unversioned, new WatchEnd(null, MIDDLE, true), 0);
		assertThat(decision.step()).isEqualTo(Step.LIST);
	}

	@Test
	void serverIsWaitedForAsLongAsItAsks() {
		Failure throttled = Failure.of(new ApiStatus(429, "TooManyRequests", "", "", 7));
		Decision decision = this.decisions.watchNotOpened(this.watching, throttled);
		assertThat(decision.pause().atLeast()).isEqualTo(Duration.ofSeconds(7));
	}

	private static Failure status(int code, String reason) {
		return Failure.of(new ApiStatus(code, reason, "", "", null));
	}

	private static Failure tooLargeByCause() {
		return Failure.of(new ApiStatus(504, "Timeout", "Timeout", "ResourceVersionTooLarge", 1));
	}

	private static Failure tooLargeByMessage() {
		return Failure.of(new ApiStatus(504, "Timeout", "Too large resource version: 9, current: 5", "", 1));
	}

	private static Failure invalidVersion(int code) {
		return Failure.of(new ApiStatus(code, "BadRequest", "Invalid value for resourceVersion", "", null));
	}

}
