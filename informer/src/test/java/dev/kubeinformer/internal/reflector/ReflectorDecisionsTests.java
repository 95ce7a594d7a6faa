package dev.kubeinformer.internal.reflector;

import java.time.Duration;
import java.util.Locale;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import dev.kubeinformer.internal.codec.ApiStatus;
import dev.kubeinformer.internal.codec.ListHeader;
import dev.kubeinformer.internal.codec.MalformedProtobufException;
import dev.kubeinformer.internal.codec.MalformedResponseException;
import dev.kubeinformer.internal.reflector.Decision.Step;
import dev.kubeinformer.internal.transport.Failure;
import dev.kubeinformer.internal.transport.ListRequest;
import dev.kubeinformer.internal.transport.WatchRequest;
import dev.kubeinformer.types.InformerState;
import dev.kubeinformer.types.ListMode;
import dev.kubeinformer.types.ListReason;
import dev.kubeinformer.types.Problem;
import dev.kubeinformer.types.WatchEndReason;
import dev.kubeinformer.types.WatchEventType;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/**
 * The protocol as a table: state and outcome on the left, what follows on the right.
 */
class ReflectorDecisionsTests {

	private static final Duration LONG = Duration.ofMinutes(5);

	private static final Duration MIDDLE = Duration.ofSeconds(10);

	private static final Duration SHORT = Duration.ofMillis(10);

	private static final Failure IO = new Failure(Problem.IO, null, "IOException", "reset");

	private static final Failure REFUSED = new Failure(Problem.REFUSED_CONNECTION, null, "ConnectException", "refused");

	private static final Failure SILENCE = new Failure(Problem.SILENT, null, "SocketTimeoutException", "timeout");

	private static final Failure MALFORMED = new Failure(Problem.MALFORMED, null, "MalformedResponseException", "");

	private static final Failure MALFORMED_PROTOBUF = new Failure(Problem.MALFORMED_PROTOBUF, null,
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
				arguments(status(403, "Forbidden"), "", false, false, false, Pause.Kind.BACKOFF,
						InformerState.FORBIDDEN),
				arguments(status(404, "NotFound"), "", false, false, false, Pause.Kind.BACKOFF,
						InformerState.NOT_FOUND),
				arguments(status(429, "TooManyRequests"), "", false, false, false, Pause.Kind.BACKOFF,
						InformerState.SYNCING),
				arguments(status(500, "InternalError"), "", false, false, false, Pause.Kind.BACKOFF,
						InformerState.SYNCING),
				arguments(status(503, ""), "next", false, false, false, Pause.Kind.BACKOFF, InformerState.SYNCING),
				arguments(IO, "", false, false, false, Pause.Kind.BACKOFF, InformerState.SYNCING),
				arguments(MALFORMED, "", false, false, false, Pause.Kind.BACKOFF, InformerState.SYNCING));
	}

	@ParameterizedTest
	@MethodSource("failedLists")
	void failedListIsRepeated(Failure failure, String page, boolean fresh, boolean needFresh, boolean unpaged,
			Pause.Kind pause, @Nullable InformerState condition) {
		ReflectorState state = fresh ? this.fresh.needingFresh() : this.fresh;
		Decision decision = listFailed(state, new ListRequest("0", 500, page), failure);
		assertThat(decision.step()).isEqualTo((condition != null) ? Step.START : Step.LIST);
		assertThat(decision.state().needFresh()).isEqualTo(needFresh);
		assertThat(decision.state().unpaged()).isEqualTo(unpaged);
		assertThat(decision.pause().kind()).isEqualTo(pause);
		assertThat(decision.condition()).isEqualTo(condition);
	}

	@Test
	void failedRelistLeavesTheCacheStale() {
		Decision decision = listFailed(this.watching, new ListRequest("100", 0, ""), IO);
		assertThat(decision.condition()).isEqualTo(InformerState.STALE);
	}

	static Stream<Arguments> unopenedWatches() {
		return Stream.of(
				// failure -> step, needFresh, pause, condition
				arguments(status(410, "Expired"), Step.START, false, Pause.Kind.BACKOFF, InformerState.STALE),
				arguments(status(400, "BadRequest"), Step.START, true, Pause.Kind.BACKOFF, InformerState.STALE),
				arguments(status(422, "Invalid"), Step.START, true, Pause.Kind.BACKOFF, InformerState.STALE),
				arguments(invalidVersion(500), Step.START, true, Pause.Kind.BACKOFF, InformerState.STALE),
				arguments(status(403, "Forbidden"), Step.WATCH, false, Pause.Kind.BACKOFF, InformerState.FORBIDDEN),
				arguments(status(404, "NotFound"), Step.WATCH, false, Pause.Kind.BACKOFF, InformerState.NOT_FOUND),
				arguments(status(401, "Unauthorized"), Step.PROBE, false, Pause.Kind.BACKOFF, InformerState.STALE),
				arguments(status(429, "TooManyRequests"), Step.WATCH, false, Pause.Kind.BACKOFF, InformerState.STALE),
				arguments(status(500, "InternalError"), Step.PROBE, false, Pause.Kind.BACKOFF, InformerState.STALE),
				arguments(status(502, ""), Step.PROBE, false, Pause.Kind.BACKOFF, InformerState.STALE),
				arguments(status(503, ""), Step.PROBE, false, Pause.Kind.BACKOFF, InformerState.STALE),
				arguments(status(504, "Timeout"), Step.PROBE, false, Pause.Kind.BACKOFF, InformerState.STALE),
				arguments(IO, Step.PROBE, false, Pause.Kind.BACKOFF, InformerState.STALE),
				arguments(SILENCE, Step.PROBE, false, Pause.Kind.BACKOFF, InformerState.STALE));
	}

	@ParameterizedTest
	@MethodSource("unopenedWatches")
	void watchThatDoesNotOpenIsTriedAgainAtTheSameVersion(Failure failure, Step step, boolean needFresh,
			Pause.Kind pause, InformerState condition) {
		Decision decision = this.decisions.watchNotOpened(this.watching, failure);
		assertThat(decision.step()).isEqualTo(step);
		assertThat(decision.state().lastVersion()).isEqualTo("100");
		assertThat(decision.state().needFresh()).isEqualTo(needFresh);
		assertThat(decision.state().failures()).isEqualTo((failure.problem() == Problem.EXPIRED) ? 0 : 1);
		assertThat(decision.pause().kind()).isEqualTo(pause);
		assertThat(decision.condition()).isEqualTo(condition);
	}

	static Stream<Arguments> endedWatches() {
		return Stream.of(
				// failure, lived, events -> step, failures, pause, condition
				arguments(null, MIDDLE, false, Step.WATCH, 0, Pause.Kind.NONE, null),
				arguments(null, SHORT, true, Step.WATCH, 0, Pause.Kind.NONE, null),
				arguments(null, SHORT, false, Step.WATCH, 1, Pause.Kind.BACKOFF, null),
				arguments(IO, MIDDLE, false, Step.WATCH, 0, Pause.Kind.NONE, InformerState.STALE),
				arguments(IO, SHORT, false, Step.WATCH, 1, Pause.Kind.BACKOFF, InformerState.STALE),
				arguments(SILENCE, LONG, false, Step.WATCH, 0, Pause.Kind.NONE, InformerState.STALE),
				arguments(MALFORMED, MIDDLE, true, Step.WATCH, 0, Pause.Kind.NONE, InformerState.STALE),
				arguments(status(410, "Expired"), MIDDLE, true, Step.START, 0, Pause.Kind.BACKOFF, InformerState.STALE),
				arguments(status(429, "TooManyRequests"), MIDDLE, true, Step.WATCH, 1, Pause.Kind.BACKOFF,
						InformerState.STALE),
				arguments(status(500, "InternalError"), MIDDLE, true, Step.WATCH, 1, Pause.Kind.BACKOFF,
						InformerState.STALE));
	}

	@ParameterizedTest
	@MethodSource("endedWatches")
	void endedWatchIsResumedUnlessTheVersionHasExpired(@Nullable Failure failure, Duration lived, boolean events,
			Step step, int failures, Pause.Kind pause, @Nullable InformerState condition) {
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
		Decision decision = streamFailed(state, failure);
		assertThat(decision.step()).isEqualTo(step);
		assertThat(decision.state().needFresh()).isEqualTo(needFresh);
		assertThat(decision.pause().kind()).isEqualTo(pause);
		assertThat(decision.state().mayStream(0)).isEqualTo(mayStreamAgain);
	}

	@Test
	void thirdStreamInARowThatDoesNotOpenIsReadInPagesOnce() {
		Decision first = streamFailed(this.fresh, IO);
		Decision second = streamFailed(first.state(), status(500, "InternalError"));
		Decision third = streamFailed(second.state(), IO);
		assertThat(second.step()).isEqualTo(Step.START);
		assertThat(third.step()).isEqualTo(Step.LIST);
		assertThat(third.pause().kind()).isEqualTo(Pause.Kind.BACKOFF);
		Decision listed = this.decisions.listed(third.state(), new ListRequest("0", 500, ""), new ListHeader("5", ""),
				false);
		assertThat(this.decisions.start(listed.state(), 0)).isEqualTo(Step.STREAM);
		assertThat(streamFailed(listed.state(), IO).step()).isEqualTo(Step.START);
	}

	@Test
	void thirdStreamInARowThatIsInterruptedIsReadInPagesOnce() {
		Decision first = streamInterrupted(this.fresh, null);
		Decision second = streamInterrupted(first.state(), MALFORMED);
		Decision third = streamInterrupted(second.state(), IO);
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
		ReflectorState unsupported = this.fresh.streamsUnsupported(LONG.toNanos());
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
				arguments(REFUSED, Step.PROBE, Pause.Kind.KNOCKING), arguments(SILENCE, Step.PROBE, Pause.Kind.BACKOFF),
				arguments(MALFORMED, Step.PROBE, Pause.Kind.BACKOFF),
				arguments(status(503, ""), Step.PROBE, Pause.Kind.BACKOFF),
				arguments(status(429, ""), Step.PROBE, Pause.Kind.BACKOFF),
				arguments(status(403, "Forbidden"), Step.WATCH, Pause.Kind.NONE),
				arguments(status(404, "NotFound"), Step.WATCH, Pause.Kind.NONE));
	}

	@ParameterizedTest
	@MethodSource("failedProbes")
	void probeThatFailsTwiceIsGivenUp(Failure failure, Step step, Pause.Kind pause) {
		Decision first = this.decisions.notProbed(this.watching.needingProbe(), failure);
		assertThat(first.step()).isEqualTo(step);
		assertThat(first.pause().kind()).isEqualTo(pause);
		Decision second = this.decisions.notProbed(first.state(), failure);
		assertThat(second.step()).isEqualTo(Step.WATCH);
		assertThat(second.pause().kind()).isEqualTo(pause);
		assertThat(this.decisions.watchNotOpened(second.state(), status(429, "")).step()).isEqualTo(Step.WATCH);
		assertThat(this.decisions.watchNotOpened(second.state(), IO).step()).isEqualTo(Step.PROBE);
	}

	@Test
	void probeThatIsDeniedByAServerThatStartsIsDueUntilTheWatchIsOpen() {
		ReflectorState state = this.decisions.watchNotOpened(this.watching, REFUSED).state();
		state = this.decisions.notProbed(state, status(403, "Forbidden")).state();
		Decision denied = this.decisions.watchNotOpened(state, status(403, "Forbidden"));
		assertThat(denied.step()).isEqualTo(Step.PROBE);
		Decision probed = this.decisions.probed(denied.state(), "100");
		assertThat(this.decisions.watchNotOpened(probed.state(), status(403, "")).step()).isEqualTo(Step.WATCH);
	}

	@Test
	void silenceOfAServerThatSendsBookmarksIsDamage() {
		WatchEnd silence = new WatchEnd(SILENCE, LONG, false);
		ReflectorState state = heartbeats(this.watching);
		Decision first = this.decisions.watchEnded(state, silence, 0);
		Decision second = this.decisions.watchEnded(first.state(), silence, 0);
		Decision probed = this.decisions.probed(second.state(), "100");
		Decision third = this.decisions.watchEnded(probed.state(), silence, 0);
		Decision fourth = this.decisions.watchEnded(third.state(), silence, 0);
		assertThat(first.step()).isEqualTo(Step.WATCH);
		assertThat(second.step()).isEqualTo(Step.PROBE);
		assertThat(this.decisions.watchOpened(probed.state())).isEqualTo(WatchProof.EVENT);
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
		assertThat(this.decisions.watchOpened(quiet)).isEqualTo(WatchProof.TIME);
		assertThat(this.decisions.watchRequest(quiet, 7).patient()).isTrue();
		for (int i = 0; i < 10; i++) {
			Decision again = this.decisions.watchEnded(quiet, silence, 0);
			assertThat(again.step()).isEqualTo(Step.PROBE);
			quiet = this.decisions.probed(again.state(), "100").state();
		}
	}

	@ParameterizedTest
	@CsvSource({
			// seconds at which bookmarks come, / is the end of a watch -> heartbeat
			"60,             false", "60 120,         true", "60 210,         true", "60 211,         false",
			"60 / 61,        false", "600 / 600 1200, false", "60 / 60 120,    true" })
	void bookmarksAreAHeartbeatIfTwoOfOneWatchComeWithinTheIdleTimeout(String bookmarks, boolean heartbeat) {
		ReflectorState state = this.watching;
		for (String each : bookmarks.split(" ")) {
			state = each.equals("/") ? this.decisions.watchEnded(state, new WatchEnd(null, MIDDLE, true), 0).state()
					: this.decisions.received(state, WatchEventType.BOOKMARK, "100",
							Duration.ofSeconds(Long.parseLong(each)).toNanos());
		}
		assertThat(state.sendsHeartbeats()).isEqualTo(heartbeat);
	}

	@Test
	void rareBookmarkLeavesAQuietServerQuiet() {
		ReflectorState quiet = this.watching.knownToBeQuiet();
		assertThat(received(quiet, WatchEventType.BOOKMARK, "101").quiet()).isTrue();
		assertThat(heartbeats(quiet).quiet()).isFalse();
	}

	@ParameterizedTest
	@CsvSource({
			// type, version of the event -> version of the cache
			"BOOKMARK, 99,  100", "BOOKMARK, 100, 100", "BOOKMARK, 101, 101", "BOOKMARK, 0,   100",
			"DELETED,  99,  100", "MODIFIED, 99,  100", "ADDED,    101, 101", "MODIFIED, abc, abc" })
	void noEventMovesTheVersionBack(WatchEventType type, String version, String expected) {
		ReflectorState state = received(this.watching, type, version);
		assertThat(state.lastVersion()).isEqualTo(expected);
		assertThat(this.decisions.watchRequest(state, 7).resourceVersion()).isEqualTo(expected);
	}

	@Test
	void eventOfAVersionThatWasKnownIsNoProgress() {
		WatchEnd broken = new WatchEnd(MALFORMED, MIDDLE, true);
		ReflectorState state = this.watching;
		for (int i = 0; i < 2; i++) {
			state = this.decisions.watchEnded(received(state, WatchEventType.DELETED, "99"), broken, 0).state();
		}
		state = received(state, WatchEventType.DELETED, "99");
		assertThat(this.decisions.watchEnded(state, broken, 0).step()).isEqualTo(Step.START);
	}

	@Test
	void versionZeroIsNone() {
		ReflectorState newer = this.fresh.stored("", "7");
		Decision listed = this.decisions.listed(newer, new ListRequest("0", 500, ""), new ListHeader("0", ""), false);
		assertThat(listed.step()).isEqualTo(Step.WATCH);
		assertThat(this.decisions.watchRequest(listed.state(), 7).resourceVersion()).isEmpty();
		assertThat(received(listed.state(), WatchEventType.ADDED, "9").lastVersion()).isEmpty();
		assertThat(this.decisions.probed(this.watching, "0").step()).isEqualTo(Step.WATCH);
		assertThat(this.decisions.streamed(newer, new WatchRequest("", 7, true, false), "0").state().lastVersion())
			.isEmpty();
	}

	static Stream<Arguments> cutLists() {
		Failure timeout = status(504, "Timeout");
		return Stream.of(
				// failure, objects had come, seconds -> in pages after the third
				arguments(timeout, false, 60, true), arguments(timeout, false, 1, true), arguments(IO, true, 1, true),
				arguments(IO, false, 60, true), arguments(IO, false, 29, false), arguments(SILENCE, false, 60, true),
				arguments(SILENCE, true, 60, true), arguments(SILENCE, false, 10, false),
				arguments(REFUSED, false, 60, false), arguments(status(503, ""), true, 60, false),
				arguments(MALFORMED, true, 60, false));
	}

	@ParameterizedTest
	@MethodSource("cutLists")
	void listThatIsCutThreeTimesIsReadInPagesOfTheMostRecentState(Failure failure, boolean begun, int seconds,
			boolean inPages) {
		ReflectorState state = this.watching.withoutPages();
		ListRequest whole = new ListRequest("100", 0, "");
		for (int i = 0; i < 3; i++) {
			assertThat(this.decisions.listRequest(state)).isEqualTo(whole);
			Decision cut = this.decisions.listFailed(state, whole, failure, begun, Duration.ofSeconds(seconds));
			assertThat(cut.step()).isEqualTo(Step.START);
			assertThat(cut.pause().kind()).isNotEqualTo(Pause.Kind.NONE);
			state = cut.state();
		}
		assertThat(this.decisions.listRequest(state)).isEqualTo(inPages ? new ListRequest("", 500, "") : whole);
		if (inPages) {
			// pages that expire are begun anew, not read as a whole
			Decision expired = listFailed(state, new ListRequest("", 500, "next"), status(410, "Expired"));
			assertThat(this.decisions.listRequest(expired.state()).limit()).isEqualTo(500);
			assertThat(expired.pause().kind()).isEqualTo(Pause.Kind.BACKOFF);
			Decision listed = this.decisions.listed(state, new ListRequest("", 500, ""), new ListHeader("200", ""),
					true);
			assertThat(this.decisions.listRequest(listed.state())).isEqualTo(new ListRequest("200", 0, ""));
		}
	}

	@ParameterizedTest
	@ValueSource(ints = { 400, 405, 406, 415, 422, 501 })
	void rejectedStreamIsTriedAgainAfterADay(int code) {
		ReflectorState rejected = this.decisions.streamFailed(this.fresh, status(code, ""), 1000).state();
		long day = Duration.ofHours(24).toNanos();
		assertThat(this.decisions.start(rejected, 1000 + day - 1)).isEqualTo(Step.LIST);
		assertThat(this.decisions.start(rejected, 1000 + day)).isEqualTo(Step.STREAM);
	}

	static Stream<Arguments> proofs() {
		WatchEnd closed = new WatchEnd(null, MIDDLE, false);
		return Stream.of(
				// how the watch before ended or was not opened -> what shows the next
				// live
				arguments(closed, null, WatchProof.OPEN),
				arguments(new WatchEnd(IO, MIDDLE, true), null, WatchProof.TIME),
				arguments(new WatchEnd(status(429, ""), MIDDLE, true), null, WatchProof.TIME),
				arguments(new WatchEnd(SILENCE, MIDDLE, true), null, WatchProof.EVENT),
				arguments(closed, REFUSED, WatchProof.TIME), arguments(closed, status(403, ""), WatchProof.TIME));
	}

	@ParameterizedTest
	@MethodSource("proofs")
	void watchAfterAFailureIsOnProbationUntilAnEventOrAList(WatchEnd end, @Nullable Failure unopened,
			WatchProof proof) {
		ReflectorState state = this.decisions.watchEnded(this.watching, end, 0).state();
		state = (unopened != null) ? this.decisions.watchNotOpened(state, unopened).state() : state;
		assertThat(this.decisions.watchOpened(state)).isEqualTo(proof);
		assertThat(this.decisions.watchOpened(received(state, WatchEventType.BOOKMARK, "100")))
			.isEqualTo(WatchProof.OPEN);
		assertThat(this.decisions.watchOpened(state.stored("200", "200"))).isEqualTo(WatchProof.OPEN);
	}

	@Test
	void watchFromNowhereTakesNoVersionFromWhatIsThere() {
		ReflectorState unversioned = this.fresh.stored("", "");
		assertThat(received(unversioned, WatchEventType.ADDED, "7").lastVersion()).isEmpty();
		assertThat(received(unversioned, WatchEventType.MODIFIED, "7").lastVersion()).isEqualTo("7");
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
		ReflectorState event = received(second.state(), WatchEventType.MODIFIED, "201");
		assertThat(this.decisions.watchNotOpened(event, expired).pause().failures()).isEqualTo(3);
	}

	@ParameterizedTest
	@CsvSource({
			// how long watches live that bring events, one of them cut, and then expire
			// -> waits of the expirations
			"10,  10, 1 2 3 4 5", "59,  60, 1 2 3 4 5", "60,  60, 1 1 1 1 1", "0, 120, 1 1 1 1 1",
			"119, 0,  1 2 3 4 5" })
	void expirationsAddUpUntilWatchesHaveLivedLong(int cut, int expiring, String waits) {
		Failure expired = status(410, "Expired");
		ReflectorState state = this.watching;
		StringBuilder failures = new StringBuilder();
		for (int i = 0; i < 5; i++) {
			state = received(state, WatchEventType.MODIFIED, Integer.toString(200 + i));
			state = this.decisions.watchEnded(state, new WatchEnd(IO, Duration.ofSeconds(cut), true), 0).state();
			Decision decision = this.decisions.watchEnded(state,
					new WatchEnd(expired, Duration.ofSeconds(expiring), true), 0);
			failures.append(decision.pause().failures()).append(' ');
			state = decision.state().stored("200", "200");
		}
		assertThat(failures.toString().strip()).isEqualTo(waits);
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
		Decision again = listFailed(this.fresh.withoutPages(), new ListRequest("", 0, "next"), status(410, "Expired"));
		assertThat(again.state().needFresh()).isTrue();
		Decision third = listFailed(again.state(), new ListRequest("", 0, "next"), status(410, "Expired"));
		assertThat(third.pause().kind()).isEqualTo(Pause.Kind.BACKOFF);
	}

	@Test
	void whatNobodyThoughtOfIsListedAgain() {
		Decision decision = this.decisions.broken(this.watching);
		assertThat(decision.step()).isEqualTo(Step.START);
		assertThat(decision.condition()).isEqualTo(InformerState.STALE);
		assertThat(decision.pause().kind()).isEqualTo(Pause.Kind.BACKOFF);
	}

	@Test
	void errorInAVerificationIsNotGivenUpAsAVerificationIs() {
		Decision broken = this.decisions.broken(this.watching.verifying());
		assertThat(this.decisions.givesUpVerification(broken)).isFalse();
		assertThat(broken.state().needFresh()).isTrue();
		assertThat(broken.state().listCause()).isEqualTo(ListReason.INTERNAL_ERROR);
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
		ReflectorState afterEvent = received(second.state(), WatchEventType.MODIFIED, "101");
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
			case "L", "l" -> listFailed(state, list, malformed).state();
			case "S", "s" -> streamInterrupted(state, malformed).state();
			case "F", "f" -> this.decisions.watchEnded(state, new WatchEnd(malformed, MIDDLE, true), 0).state();
			case "i" -> listFailed(state, list, IO).state();
			case "ok" -> this.decisions.listed(state, list, new ListHeader("100", ""), false).state();
			case "+" -> received(state, WatchEventType.MODIFIED, "101");
			default -> throw new IllegalArgumentException(outcome);
		};
	}

	@Test
	void malformedProtobufIsOtherwiseAnsweredAsAnythingMalformed() {
		assertThat(listFailed(this.watching, new ListRequest("100", 0, ""), MALFORMED_PROTOBUF).step())
			.isEqualTo(Step.START);
		assertThat(this.decisions.watchEnded(this.watching, new WatchEnd(MALFORMED_PROTOBUF, MIDDLE, true), 0).step())
			.isEqualTo(Step.WATCH);
		assertThat(WatchEndCause.ofOpen(MALFORMED_PROTOBUF)).isEqualTo(WatchEndReason.MALFORMED);
		assertThat(Failure.of(new MalformedProtobufException("x")))
			.isEqualTo(new Failure(Problem.MALFORMED_PROTOBUF, null, "MalformedResponseException", "x"));
		assertThat(Failure.of(new MalformedResponseException("x")).problem()).isEqualTo(Problem.MALFORMED);
	}

	@Test
	void errorEventsAreAnsweredByResumingForThirtySecondsOnly() {
		WatchEnd error = new WatchEnd(status(500, "InternalError"), MIDDLE, false);
		Decision first = this.decisions.watchEnded(this.watching, error, 0);
		Decision inTime = this.decisions.watchEnded(first.state(), error, Duration.ofSeconds(30).toNanos());
		Decision late = this.decisions.watchEnded(first.state(), error, Duration.ofSeconds(31).toNanos());
		assertThat(inTime.step()).isEqualTo(Step.WATCH);
		assertThat(late.step()).isEqualTo(Step.START);
		ReflectorState afterEvent = received(first.state(), WatchEventType.MODIFIED, "101");
		assertThat(this.decisions.watchEnded(afterEvent, error, Duration.ofSeconds(90).toNanos()).step())
			.isEqualTo(Step.WATCH);
	}

	@Test
	void watchAfterSilenceShowsItselfAliveByItsFirstEventOnly() {
		Decision silent = this.decisions.watchEnded(this.watching, new WatchEnd(SILENCE, LONG, false), 0);
		assertThat(this.decisions.watchOpened(this.watching)).isEqualTo(WatchProof.OPEN);
		assertThat(this.decisions.watchOpened(silent.state())).isEqualTo(WatchProof.EVENT);
		ReflectorState alive = received(silent.state(), WatchEventType.MODIFIED, "100");
		assertThat(this.decisions.watchOpened(alive)).isEqualTo(WatchProof.OPEN);
	}

	@Test
	void emptyVersionOfAnEventNeverReplacesAKnownOne() {
		assertThat(received(this.watching, WatchEventType.MODIFIED, "").lastVersion()).isEqualTo("100");
		assertThat(received(this.watching, WatchEventType.MODIFIED, "105").lastVersion()).isEqualTo("105");
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

	private Decision listFailed(ReflectorState state, ListRequest request, Failure failure) {
		return this.decisions.listFailed(state, request, failure, false, Duration.ZERO);
	}

	private Decision streamFailed(ReflectorState state, Failure failure) {
		return this.decisions.streamFailed(state, failure, 0);
	}

	private Decision streamInterrupted(ReflectorState state, @Nullable Failure failure) {
		return this.decisions.streamInterrupted(state, failure, 0);
	}

	private ReflectorState received(ReflectorState state, WatchEventType type, String version) {
		return this.decisions.received(state, type, version, 0);
	}

	private ReflectorState heartbeats(ReflectorState state) {
		return received(received(state, WatchEventType.BOOKMARK, "100"), WatchEventType.BOOKMARK, "100");
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
