package dev.kubeinformer.reflector;

import java.time.Duration;
import java.util.Locale;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

import dev.kubeinformer.codec.ApiStatus;
import dev.kubeinformer.codec.ListHeader;
import dev.kubeinformer.codec.MalformedProtobufException;
import dev.kubeinformer.codec.MalformedResponseException;
import dev.kubeinformer.codec.WatchFrame;
import dev.kubeinformer.reflector.Decision.Step;
import dev.kubeinformer.transport.ListRequest;
import dev.kubeinformer.transport.WatchRequest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/**
 * The protocol as a table: state and outcome on the left, what follows on the right.
 */
class ReflectorDecisionsTests {

	private static final Duration LONG = Duration.ofMinutes(5);

	private static final Duration MIDDLE = Duration.ofSeconds(10);

	private static final Duration SHORT = Duration.ofMillis(10);

	private static final Failure IO = new Failure(Failure.Kind.IO, null, "IOException", "reset");

	private static final Failure REFUSED = new Failure(Failure.Kind.REFUSED, null, "ConnectException", "refused");

	private static final Failure SILENCE = new Failure(Failure.Kind.SILENCE, null, "SocketTimeoutException", "timeout");

	private static final Failure MALFORMED = new Failure(Failure.Kind.MALFORMED, null, "MalformedResponseException",
			"");

	private static final Failure MALFORMED_PROTOBUF = new Failure(Failure.Kind.MALFORMED_PROTOBUF, null,
			"MalformedResponseException", "");

	private final ReflectorDecisions decisions = new ReflectorDecisions(ReflectorTimings.defaults(), ListMode.AUTO, 0);

	private final ReflectorState fresh = ReflectorState.initial("");

	private final ReflectorState watching = this.fresh.stored("100", "100");

	@ParameterizedTest
	@CsvSource({
			// last, needFresh, pagedAtZero, unpaged -> resourceVersion, limit
			"'',  false, false, false, 0,   500", "100, false, false, false, 100, 0",
			"100, true,  false, false, '',  500", "'',  true,  false, false, '',  500",
			"100, false, true,  false, 100, 500", "100, false, true,  true,  100, 0",
			"'',  false, false, true,  0,   0" })
	void listIsAskedForAtTheLastVersionUnlessItMustBeFresh(String last, boolean needFresh, boolean pagedAtZero,
			boolean unpaged, String resourceVersion, int limit) {
		ReflectorState state = ReflectorState.initial(last).pagedAtZero(pagedAtZero);
		state = needFresh ? state.needingFresh() : state;
		state = unpaged ? state.withoutPages() : state;
		assertThat(this.decisions.listRequest(state)).isEqualTo(new ListRequest(resourceVersion, limit, ""));
	}

	@Test
	void configuredPageSizeIsAlwaysUsed() {
		ReflectorDecisions paging = new ReflectorDecisions(ReflectorTimings.defaults(), ListMode.PAGED, 4);
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
			"100, 100, 99,  START, true", "100, 0,   99,  START, true", "100, '',  99,  WATCH, false",
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
		assertThat(decision.step()).isEqualTo((condition != null) ? Step.START : Step.LIST);
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
				arguments(status(410, "Expired"), Step.START, false, Pause.Kind.BACKOFF, Condition.STALE),
				arguments(status(400, "BadRequest"), Step.START, true, Pause.Kind.BACKOFF, Condition.STALE),
				arguments(status(422, "Invalid"), Step.START, true, Pause.Kind.BACKOFF, Condition.STALE),
				arguments(invalidVersion(500), Step.START, true, Pause.Kind.BACKOFF, Condition.STALE),
				arguments(status(403, "Forbidden"), Step.WATCH, false, Pause.Kind.BACKOFF, Condition.FORBIDDEN),
				arguments(status(404, "NotFound"), Step.WATCH, false, Pause.Kind.BACKOFF, Condition.NOT_FOUND),
				arguments(status(401, "Unauthorized"), Step.PROBE, false, Pause.Kind.BACKOFF, Condition.STALE),
				arguments(status(429, "TooManyRequests"), Step.WATCH, false, Pause.Kind.BACKOFF, Condition.STALE),
				arguments(status(500, "InternalError"), Step.PROBE, false, Pause.Kind.BACKOFF, Condition.STALE),
				arguments(status(502, ""), Step.PROBE, false, Pause.Kind.BACKOFF, Condition.STALE),
				arguments(status(503, ""), Step.PROBE, false, Pause.Kind.BACKOFF, Condition.STALE),
				arguments(status(504, "Timeout"), Step.PROBE, false, Pause.Kind.BACKOFF, Condition.STALE),
				arguments(IO, Step.PROBE, false, Pause.Kind.BACKOFF, Condition.STALE),
				arguments(SILENCE, Step.PROBE, false, Pause.Kind.BACKOFF, Condition.STALE));
	}

	@ParameterizedTest
	@MethodSource("unopenedWatches")
	void watchThatDoesNotOpenIsTriedAgainAtTheSameVersion(Failure failure, Step step, boolean needFresh,
			Pause.Kind pause, Condition condition) {
		Decision decision = this.decisions.watchNotOpened(this.watching, failure);
		assertThat(decision.step()).isEqualTo(step);
		assertThat(decision.state().lastVersion()).isEqualTo("100");
		assertThat(decision.state().needFresh()).isEqualTo(needFresh);
		assertThat(decision.state().failures()).isEqualTo(failure.isExpired() ? 0 : 1);
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
				arguments(status(410, "Expired"), MIDDLE, true, Step.START, 0, Pause.Kind.BACKOFF, Condition.STALE),
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

	static Stream<Arguments> failedStreams() {
		return Stream.of(
				// failure, needFresh before -> step, needFresh, pause, may stream again
				arguments(status(429, "TooManyRequests"), false, Step.START, false, Pause.Kind.BACKOFF, true),
				arguments(REFUSED, false, Step.START, false, Pause.Kind.KNOCKING, true),
				arguments(status(410, "Expired"), false, Step.START, true, Pause.Kind.NONE, true),
				arguments(status(410, "Expired"), true, Step.START, true, Pause.Kind.BACKOFF, true),
				arguments(tooLargeByCause(), false, Step.START, true, Pause.Kind.NONE, true),
				arguments(invalidVersion(400), false, Step.START, true, Pause.Kind.NONE, true),
				arguments(status(400, "BadRequest"), false, Step.LIST, false, Pause.Kind.NONE, false),
				arguments(status(403, "Forbidden"), false, Step.LIST, false, Pause.Kind.NONE, true),
				arguments(status(405, "MethodNotAllowed"), false, Step.LIST, false, Pause.Kind.NONE, false),
				arguments(status(406, "NotAcceptable"), false, Step.LIST, false, Pause.Kind.NONE, false),
				arguments(status(415, "UnsupportedMediaType"), false, Step.LIST, false, Pause.Kind.NONE, false),
				arguments(status(422, "Invalid"), false, Step.LIST, false, Pause.Kind.NONE, false),
				arguments(status(501, "NotImplemented"), false, Step.LIST, false, Pause.Kind.NONE, false),
				arguments(status(404, "NotFound"), false, Step.START, false, Pause.Kind.BACKOFF, true),
				arguments(status(500, "InternalError"), false, Step.START, false, Pause.Kind.BACKOFF, true),
				arguments(IO, false, Step.START, false, Pause.Kind.BACKOFF, true));
	}

	@ParameterizedTest
	@MethodSource("failedStreams")
	void failedStreamingListIsRepeatedOrReadInPages(Failure failure, boolean fresh, Step step, boolean needFresh,
			Pause.Kind pause, boolean mayStreamAgain) {
		ReflectorState state = fresh ? this.fresh.needingFresh() : this.fresh;
		Decision decision = this.decisions.streamFailed(state, failure);
		assertThat(decision.step()).isEqualTo(step);
		assertThat(decision.state().needFresh()).isEqualTo(needFresh);
		assertThat(decision.pause().kind()).isEqualTo(pause);
		assertThat(decision.state().mayStream(Long.MAX_VALUE / 2)).isEqualTo(mayStreamAgain);
	}

	@Test
	void thirdStreamInARowThatDoesNotOpenIsReadInPagesOnce() {
		Decision first = this.decisions.streamFailed(this.fresh, IO);
		Decision second = this.decisions.streamFailed(first.state(), status(500, "InternalError"));
		Decision third = this.decisions.streamFailed(second.state(), IO);
		assertThat(second.step()).isEqualTo(Step.START);
		assertThat(third.step()).isEqualTo(Step.LIST);
		assertThat(third.pause().kind()).isEqualTo(Pause.Kind.BACKOFF);
		Decision listed = this.decisions.listed(third.state(), new ListRequest("0", 500, ""), new ListHeader("5", ""),
				false);
		assertThat(this.decisions.start(listed.state(), 0)).isEqualTo(Step.STREAM);
		assertThat(this.decisions.streamFailed(listed.state(), IO).step()).isEqualTo(Step.START);
	}

	@Test
	void thirdStreamInARowThatIsInterruptedIsReadInPagesOnce() {
		Decision first = this.decisions.streamInterrupted(this.fresh, null);
		Decision second = this.decisions.streamInterrupted(first.state(), MALFORMED);
		Decision third = this.decisions.streamInterrupted(second.state(), IO);
		assertThat(first.pause().kind()).isEqualTo(Pause.Kind.BACKOFF);
		assertThat(second.step()).isEqualTo(Step.START);
		assertThat(third.step()).isEqualTo(Step.LIST);
		assertThat(third.state().mayStream(0)).isTrue();
	}

	@Test
	void serverWithoutMarkerIsReadInPagesForADay() {
		Decision overdue = this.decisions.streamOverdue(this.fresh, 1000);
		assertThat(overdue.step()).isEqualTo(Step.START);
		assertThat(this.decisions.start(overdue.state(), 1000)).isEqualTo(Step.LIST);
		assertThat(this.decisions.start(overdue.state(), 1000 + Duration.ofHours(24).toNanos())).isEqualTo(Step.STREAM);
	}

	@Test
	void modeDecidesHowFullStatesAreAskedFor() {
		ReflectorState unsupported = this.fresh.streamsUnsupported(null);
		for (ListMode mode : ListMode.values()) {
			ReflectorDecisions rules = new ReflectorDecisions(ReflectorTimings.defaults(), mode, 0);
			assertThat(rules.start(this.fresh, 0)).isEqualTo((mode != ListMode.PAGED) ? Step.STREAM : Step.LIST);
			assertThat(rules.start(unsupported, 0)).isEqualTo((mode == ListMode.STREAMING) ? Step.STREAM : Step.LIST);
		}
	}

	@Test
	void streamIsAskedForAtTheLastVersionUnlessItMustBeFresh() {
		assertThat(this.decisions.streamRequest(this.fresh, 7)).isEqualTo(new WatchRequest("", 7, true, false));
		assertThat(this.decisions.streamRequest(this.watching, 7)).isEqualTo(new WatchRequest("100", 7, true, false));
		assertThat(this.decisions.streamRequest(this.watching.needingFresh(), 7))
			.isEqualTo(new WatchRequest("", 7, true, false));
	}

	@ParameterizedTest
	@CsvSource({ "100, 99, START, true", "'', 99, WATCH, false", "100, 100, WATCH, false" })
	void streamOlderThanWhatWasSeenIsDiscardedUnlessItIsAuthoritative(String asked, String marker, Step step,
			boolean needFresh) {
		Decision decision = this.decisions.streamed(this.watching, new WatchRequest(asked, 7, true, false), marker);
		assertThat(decision.step()).isEqualTo(step);
		assertThat(decision.state().needFresh()).isEqualTo(needFresh);
	}

	@ParameterizedTest
	@CsvSource({ "99, START, true", "100, WATCH, false", "101, WATCH, false", "'', WATCH, false", "abc, WATCH, false" })
	void serverThatHasLessThanItHadIsListedAfresh(String version, Step step, boolean needFresh) {
		Decision decision = this.decisions.probed(this.watching, version);
		assertThat(decision.step()).isEqualTo(step);
		assertThat(decision.state().needFresh()).isEqualTo(needFresh);
	}

	static Stream<Arguments> failedProbes() {
		return Stream.of(arguments(IO, Step.PROBE, Pause.Kind.BACKOFF),
				arguments(status(503, ""), Step.PROBE, Pause.Kind.BACKOFF),
				arguments(status(429, ""), Step.PROBE, Pause.Kind.BACKOFF),
				arguments(status(403, "Forbidden"), Step.WATCH, Pause.Kind.NONE),
				arguments(status(404, "NotFound"), Step.WATCH, Pause.Kind.NONE));
	}

	@ParameterizedTest
	@MethodSource("failedProbes")
	void failedProbeIsRepeatedUnlessTheWatchKnowsBetter(Failure failure, Step step, Pause.Kind pause) {
		Decision decision = this.decisions.notProbed(this.watching, failure);
		assertThat(decision.step()).isEqualTo(step);
		assertThat(decision.pause().kind()).isEqualTo(pause);
	}

	@Test
	void silenceOfAServerThatSendsBookmarksIsDamage() {
		WatchEnd silence = new WatchEnd(SILENCE, LONG, false);
		ReflectorState state = this.watching.bookmarked();
		Decision first = this.decisions.watchEnded(state, silence, 0);
		Decision second = this.decisions.watchEnded(first.state(), silence, 0);
		Decision probed = this.decisions.probed(second.state(), "100");
		Decision third = this.decisions.watchEnded(probed.state(), silence, 0);
		Decision fourth = this.decisions.watchEnded(third.state(), silence, 0);
		assertThat(first.step()).isEqualTo(Step.WATCH);
		assertThat(second.step()).isEqualTo(Step.PROBE);
		assertThat(this.decisions.watchOpened(probed.state())).isNull();
		assertThat(third.step()).isEqualTo(Step.PROBE);
		assertThat(fourth.step()).isEqualTo(Step.START);
		assertThat(fourth.state().needFresh()).isTrue();
	}

	@Test
	void silenceOfAServerWithoutBookmarksIsBorne() {
		WatchEnd silence = new WatchEnd(SILENCE, LONG, false);
		Decision first = this.decisions.watchEnded(this.watching, silence, 0);
		Decision second = this.decisions.watchEnded(first.state(), silence, 0);
		ReflectorState quiet = this.decisions.probed(second.state(), "100").state();
		assertThat(this.decisions.watchOpened(quiet)).isEqualTo(Condition.LIVE);
		assertThat(this.decisions.watchRequest(quiet, 7).patient()).isTrue();
		for (int i = 0; i < 10; i++) {
			Decision again = this.decisions.watchEnded(quiet, silence, 0);
			assertThat(again.step()).isEqualTo(Step.PROBE);
			quiet = this.decisions.probed(again.state(), "100").state();
		}
	}

	@Test
	void watchFromNowhereTakesNoVersionFromWhatIsThere() {
		ReflectorState unversioned = this.fresh.stored("", "");
		assertThat(this.decisions.received(unversioned, WatchFrame.Type.ADDED, "7").lastVersion()).isEmpty();
		assertThat(this.decisions.received(unversioned, WatchFrame.Type.MODIFIED, "7").lastVersion()).isEqualTo("7");
	}

	@Test
	void expiredVersionAfterALongOutageIsListedSoon() {
		ReflectorState outage = this.watching;
		for (int i = 0; i < 10; i++) {
			outage = this.decisions.watchNotOpened(outage, REFUSED).state();
		}
		Failure expired = status(410, "Expired");
		Decision first = this.decisions.watchEnded(outage, new WatchEnd(expired, SHORT, false), 0);
		assertThat(first.pause().failures()).isEqualTo(1);
		ReflectorState listed = first.state().stored("200", "200");
		Decision second = this.decisions.watchEnded(listed, new WatchEnd(expired, SHORT, false), 0);
		assertThat(second.pause().failures()).isEqualTo(2);
		ReflectorState lived = this.decisions.received(second.state(), WatchFrame.Type.MODIFIED, "201");
		assertThat(this.decisions.watchNotOpened(lived, expired).pause().failures()).isEqualTo(1);
	}

	@Test
	void cacheWithoutAVersionIsListedAfterEveryFailure() {
		ReflectorState unversioned = this.fresh.stored("", "");
		assertThat(this.decisions.watchNotOpened(unversioned, status(503, "")).step()).isEqualTo(Step.START);
		assertThat(this.decisions.watchNotOpened(unversioned, status(429, "")).step()).isEqualTo(Step.START);
		assertThat(this.decisions.watchEnded(unversioned, new WatchEnd(status(500, ""), MIDDLE, true), 0).step())
			.isEqualTo(Step.START);
		assertThat(this.decisions.watchEnded(unversioned, new WatchEnd(IO, MIDDLE, true), 0).step())
			.isEqualTo(Step.START);
	}

	@Test
	void pagesThatExpireAgainWithoutPagesAreWaitedFor() {
		Decision again = this.decisions.listFailed(this.fresh.withoutPages(), new ListRequest("", 0, "next"),
				status(410, "Expired"));
		assertThat(again.state().needFresh()).isTrue();
		Decision third = this.decisions.listFailed(again.state(), new ListRequest("", 0, "next"),
				status(410, "Expired"));
		assertThat(third.pause().kind()).isEqualTo(Pause.Kind.BACKOFF);
	}

	@Test
	void whatNobodyThoughtOfIsListedAgain() {
		Decision decision = this.decisions.broken(this.watching);
		assertThat(decision.step()).isEqualTo(Step.START);
		assertThat(decision.condition()).isEqualTo(Condition.STALE);
		assertThat(decision.pause().kind()).isEqualTo(Pause.Kind.BACKOFF);
	}

	@Test
	void failuresAreForgottenByAWatchThatLivedLongOnly() {
		ReflectorState failed = this.watching.failed().failed();
		assertThat(this.decisions.watchEnded(failed, new WatchEnd(null, MIDDLE, true), 0).state().failures())
			.isEqualTo(2);
		assertThat(this.decisions.watchEnded(failed, new WatchEnd(null, LONG, true), 0).state().failures()).isZero();
	}

	@Test
	void failuresAreForgottenByWatchesThatLivedLongTogetherWithoutAFailure() {
		ReflectorState state = this.watching.failed().failed();
		WatchEnd cut = new WatchEnd(IO, Duration.ofSeconds(50), true);
		state = this.decisions.watchEnded(state, cut, 0).state();
		state = this.decisions.watchEnded(state, cut, 0).state();
		assertThat(state.failures()).isEqualTo(2);
		ReflectorState failedAgain = this.decisions.watchNotOpened(state, IO).state();
		assertThat(this.decisions.watchEnded(failedAgain, cut, 0).state().failures()).isEqualTo(3);
		assertThat(this.decisions.watchEnded(state, cut, 0).state().failures()).isZero();
	}

	@Test
	void watchesThatEndInErrorsNeverLiveLongTogether() {
		Failure throttled = status(429, "TooManyRequests");
		ReflectorState state = this.watching;
		for (int i = 1; i <= 10; i++) {
			state = this.decisions.watchEnded(state, new WatchEnd(throttled, Duration.ofSeconds(50), true), 0).state();
			assertThat(state.failures()).isEqualTo(i);
		}
	}

	@Test
	void thirdBrokenFrameInARowAtOneVersionCostsAList() {
		WatchEnd broken = new WatchEnd(MALFORMED, MIDDLE, true);
		Decision first = this.decisions.watchEnded(this.watching, broken, 0);
		Decision second = this.decisions.watchEnded(first.state(), broken, 0);
		Decision third = this.decisions.watchEnded(second.state(), broken, 0);
		assertThat(first.step()).isEqualTo(Step.WATCH);
		assertThat(second.step()).isEqualTo(Step.WATCH);
		assertThat(third.step()).isEqualTo(Step.START);
		ReflectorState afterEvent = this.decisions.received(second.state(), WatchFrame.Type.MODIFIED, "101");
		assertThat(this.decisions.watchEnded(afterEvent, broken, 0).step()).isEqualTo(Step.WATCH);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			# L a malformed list, S a malformed streaming list, F a malformed frame; l, s and f not in protobuf
			# i a list that breaks; ok a good list; + an event
			L L        | false
			L L L      | true
			S S S      | true
			S L S      | true
			L i L L    | true
			L L ok L L | false
			l l l l l  | false
			s s s      | false
			L l L      | false
			F F        | false
			F F F      | true
			F + F F    | false
			F + F F F  | true
			f f f      | false
			f f F      | true
			F F f      | false
			F F F ok   | true
			L L F      | false
			""")
	void protobufThatIsMalformedAgainAndAgainIsNotAskedForAgain(String outcomes, boolean avoided) {
		ReflectorState state = this.watching;
		for (String outcome : outcomes.split(" ")) {
			state = after(state, outcome);
		}
		assertThat(state.avoidsProtobuf()).isEqualTo(avoided);
	}

	private ReflectorState after(ReflectorState state, String outcome) {
		Failure malformed = outcome.equals(outcome.toUpperCase(Locale.ROOT)) ? MALFORMED_PROTOBUF : MALFORMED;
		ListRequest list = new ListRequest("100", 0, "");
		return switch (outcome) {
			case "L", "l" -> this.decisions.listFailed(state, list, malformed).state();
			case "S", "s" -> this.decisions.streamInterrupted(state, malformed).state();
			case "F", "f" -> this.decisions.watchEnded(state, new WatchEnd(malformed, MIDDLE, true), 0).state();
			case "i" -> this.decisions.listFailed(state, list, IO).state();
			case "ok" -> this.decisions.listed(state, list, new ListHeader("100", ""), false).state();
			case "+" -> this.decisions.received(state, WatchFrame.Type.MODIFIED, "101");
			default -> throw new IllegalArgumentException(outcome);
		};
	}

	@Test
	void malformedProtobufIsOtherwiseAnsweredAsAnythingMalformed() {
		assertThat(this.decisions.listFailed(this.watching, new ListRequest("100", 0, ""), MALFORMED_PROTOBUF).step())
			.isEqualTo(Step.START);
		assertThat(this.decisions.watchEnded(this.watching, new WatchEnd(MALFORMED_PROTOBUF, MIDDLE, true), 0).step())
			.isEqualTo(Step.WATCH);
		assertThat(WatchEndCause.ofOpen(MALFORMED_PROTOBUF)).isEqualTo(WatchEndCause.MALFORMED);
		assertThat(Failure.of(new MalformedProtobufException("x")))
			.isEqualTo(new Failure(Failure.Kind.MALFORMED_PROTOBUF, null, "MalformedResponseException", "x"));
		assertThat(Failure.of(new MalformedResponseException("x")).kind()).isEqualTo(Failure.Kind.MALFORMED);
	}

	@Test
	void errorEventsAreAnsweredByResumingForThirtySecondsOnly() {
		WatchEnd error = new WatchEnd(status(500, "InternalError"), MIDDLE, false);
		Decision first = this.decisions.watchEnded(this.watching, error, 0);
		Decision inTime = this.decisions.watchEnded(first.state(), error, Duration.ofSeconds(30).toNanos());
		Decision late = this.decisions.watchEnded(first.state(), error, Duration.ofSeconds(31).toNanos());
		assertThat(inTime.step()).isEqualTo(Step.WATCH);
		assertThat(late.step()).isEqualTo(Step.START);
		ReflectorState afterEvent = this.decisions.received(first.state(), WatchFrame.Type.MODIFIED, "101");
		assertThat(this.decisions.watchEnded(afterEvent, error, Duration.ofSeconds(90).toNanos()).step())
			.isEqualTo(Step.WATCH);
	}

	@Test
	void watchAfterSilenceShowsItselfAliveByItsFirstEventOnly() {
		Decision silent = this.decisions.watchEnded(this.watching, new WatchEnd(SILENCE, LONG, false), 0);
		assertThat(this.decisions.watchOpened(this.watching)).isEqualTo(Condition.LIVE);
		assertThat(this.decisions.watchOpened(silent.state())).isNull();
		ReflectorState alive = this.decisions.received(silent.state(), WatchFrame.Type.MODIFIED, "100");
		assertThat(this.decisions.watchOpened(alive)).isEqualTo(Condition.LIVE);
	}

	@Test
	void emptyVersionOfAnEventNeverReplacesAKnownOne() {
		assertThat(this.decisions.received(this.watching, WatchFrame.Type.MODIFIED, "").lastVersion()).isEqualTo("100");
		assertThat(this.decisions.received(this.watching, WatchFrame.Type.MODIFIED, "105").lastVersion())
			.isEqualTo("105");
	}

	@Test
	void watchWithoutAVersionCannotBeResumed() {
		ReflectorState unversioned = this.fresh.stored("", "");
		Decision decision = this.decisions.watchEnded(unversioned, new WatchEnd(null, MIDDLE, true), 0);
		assertThat(decision.step()).isEqualTo(Step.START);
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
