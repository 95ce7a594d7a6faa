package dev.kubeinformer.internal.reflector;

import java.time.Duration;
import java.util.List;
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
import dev.kubeinformer.internal.failure.Failure;
import dev.kubeinformer.internal.reflector.Decision.Step;
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

	private static final Failure FLOOD = new Failure(Problem.FLOODED, null, "FloodedWatchException", "");

	private static final Failure MALFORMED = new Failure(Problem.MALFORMED, null, "MalformedResponseException", "");

	private static final Failure MALFORMED_PROTOBUF = new Failure(Problem.MALFORMED_PROTOBUF, null,
			"MalformedResponseException", "");

	private final ListDecisions lists = new ListDecisions(ReflectorTimings.defaults(), ListMode.AUTO, 0);

	private final WatchDecisions watches = new WatchDecisions(ReflectorTimings.defaults());

	private final ReflectorState fresh = ReflectorState.initial("");

	private final ReflectorState watching = this.fresh.stored("100", "100", 0);

	@ParameterizedTest
	@CsvSource({
			// last, needFresh, pagedAtZero, unpaged -> resourceVersion, limit
			"'',  false, false, false, 0,   500", "100, false, false, false, 100, 0",
			"100, true,  false, false, '',  500", "'',  true,  false, false, '',  500",
			"100, false, true,  false, 100, 500", "100, false, true,  true,  100, 0",
			"'',  false, false, true,  0,   0" })
	void listIsAskedForAtTheLastVersionUnlessItMustBeFresh(String last, boolean needFresh, boolean pagedAtZero,
			boolean unpaged, String resourceVersion, int limit) {
		NextList list = NextList.initial().pagedAtZero(pagedAtZero);
		list = needFresh ? list.asFresh() : list;
		list = unpaged ? list.withoutPages() : list;
		ReflectorState state = ReflectorState.initial(last).with(list);
		assertThat(this.lists.listRequest(state)).isEqualTo(new ListRequest(resourceVersion, limit, ""));
	}

	@ParameterizedTest
	@CsvSource({
			// cached, page size, version and token of the first page -> version of the
			// whole list
			"'',  0, 41, next, 41", "40,  0, 41, next, 41", "'',  4, 41, next,", "'',  0, '', next,",
			"42,  0, 41, next,", "'',  0, 0,  next," })
	void currentListGoesOnAsOneFromTheVersionOfItsFirstPage(String cached, int pageSize, String version, String token,
			@Nullable String whole) {
		ListDecisions rules = new ListDecisions(ReflectorTimings.defaults(), ListMode.PAGED, pageSize);
		ReflectorState state = ReflectorState.initial(cached).needingCurrent();
		ListRequest first = rules.listRequest(state);
		assertThat(first).isEqualTo(new ListRequest("", (pageSize > 0) ? pageSize : 500, ""));
		Decision decision = rules.insteadOfPages(state, first, new ListHeader(version, token));
		if (whole == null) {
			assertThat(decision).isNull();
			return;
		}
		assertThat(decision.step()).isEqualTo(Step.LIST);
		assertThat(decision.isAtOnce()).isTrue();
		ListRequest next = rules.listRequest(decision.state());
		assertThat(next).isEqualTo(new ListRequest(whole, 0, ""));
		assertThat(rules.insteadOfPages(decision.state(), next, new ListHeader(whole, token))).isNull();
	}

	@Test
	void listOfTheMostRecentStateStaysInPages() {
		ReflectorState state = this.fresh.needingFresh();
		assertThat(this.lists.insteadOfPages(state, this.lists.listRequest(state), new ListHeader("41", "next")))
			.isNull();
		assertThat(state.needingCurrent().nextList().current()).isFalse();
	}

	@Test
	void listInPlaceOfPagesThatIsCutIsReadInPages() {
		ReflectorState state = this.fresh.needingCurrent();
		ReflectorState cut = state.with(state.nextList().since("41").cut(3));
		ListRequest pages = this.lists.listRequest(cut);
		assertThat(pages).isEqualTo(new ListRequest("", 500, ""));
		assertThat(this.lists.insteadOfPages(cut, pages, new ListHeader("42", "next"))).isNull();
	}

	@Test
	void serverThatHasNotReachedTheVersionIsAskedForPages() {
		ReflectorState state = this.fresh.needingCurrent();
		ReflectorState whole = state.with(state.nextList().since("41"));
		Decision decision = listFailed(whole, this.lists.listRequest(whole), tooLargeByCause());
		assertThat(decision.step()).isEqualTo(Step.LIST);
		assertThat(decision.isAtOnce()).isTrue();
		assertThat(this.lists.listRequest(decision.state())).isEqualTo(new ListRequest("", 500, ""));
		assertThat(decision.state().nextList().current()).isFalse();
		assertThat(this.lists.streamRequest(whole, 7).resourceVersion()).isEmpty();
	}

	@Test
	void configuredPageSizeIsAlwaysUsed() {
		ListDecisions paging = new ListDecisions(ReflectorTimings.defaults(), ListMode.PAGED, 4);
		assertThat(paging.listRequest(this.watching).limit()).isEqualTo(4);
		assertThat(paging.listRequest(this.fresh).limit()).isEqualTo(4);
	}

	@Test
	void completeListIsStoredAndWatched() {
		Decision decision = listed(this.fresh.needingFresh(), new ListRequest("", 500, ""), new ListHeader("41", ""),
				false);
		assertThat(decision.step()).isEqualTo(Step.WATCH);
		assertThat(decision.state().versions().last()).isEqualTo("41");
		assertThat(decision.state().nextList().fresh()).isFalse();
		assertThat(decision.state().versions().listed()).isTrue();
		assertThat(decision.pause().kind()).isEqualTo(Pause.Kind.NONE);
	}

	@ParameterizedTest
	@CsvSource({ "0, true, true", "0, false, false", "100, true, false" })
	void listThatCameInPagesAtZeroIsRemembered(String version, boolean paged, boolean remembered) {
		Decision decision = listed(this.fresh, new ListRequest(version, 500, ""), new ListHeader("100", ""), paged);
		assertThat(decision.state().nextList().pagedAtZero()).isEqualTo(remembered);
	}

	@ParameterizedTest
	@CsvSource({
			// newest seen, asked for, answered -> step, needFresh afterwards
			"100, 100, 99,  START, true", "100, 0,   99,  START, true", "100, '',  99,  WATCH, false",
			"100, 100, 100, WATCH, false", "100, 100, 101, WATCH, false", "99,  99,  100, WATCH, false" })
	void listOlderThanWhatWasSeenIsDiscardedUnlessItIsAuthoritative(String newest, String asked, String answered,
			Step step, boolean needFresh) {
		ReflectorState state = ReflectorState.initial(newest);
		Decision decision = listed(state, new ListRequest(asked, 0, ""), new ListHeader(answered, ""), false);
		assertThat(decision.step()).isEqualTo(step);
		assertThat(decision.state().nextList().fresh()).isEqualTo(needFresh);
		if (step == Step.WATCH) {
			assertThat(decision.state().versions().newest()).isEqualTo(answered);
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
		assertThat(decision.state().nextList().fresh()).isEqualTo(needFresh);
		assertThat(decision.state().nextList().unpaged()).isEqualTo(unpaged);
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
		Decision decision = this.watches.watchNotOpened(this.watching, failure);
		assertThat(decision.step()).isEqualTo(step);
		assertThat(decision.state().versions().last()).isEqualTo("100");
		assertThat(decision.state().nextList().fresh()).isEqualTo(needFresh);
		assertThat(decision.state().failures().count()).isEqualTo((failure.problem() == Problem.EXPIRED) ? 0 : 1);
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
				arguments(FLOOD, MIDDLE, false, Step.WATCH, 1, Pause.Kind.BACKOFF, InformerState.STALE),
				arguments(FLOOD, MIDDLE, true, Step.WATCH, 1, Pause.Kind.BACKOFF, InformerState.STALE),
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
		Decision decision = this.watches.watchEnded(this.watching, new WatchEnd(failure, lived, events), 0);
		assertThat(decision.step()).isEqualTo(step);
		assertThat(decision.state().versions().last()).isEqualTo("100");
		assertThat(decision.state().nextList().fresh()).isFalse();
		assertThat(decision.state().failures().count()).isEqualTo(failures);
		assertThat(decision.pause().kind()).isEqualTo(pause);
		assertThat(decision.condition()).isEqualTo(condition);
	}

	static Stream<Arguments> failedStreams() {
		return Stream.of(
				// failure, needFresh before -> step, needFresh, pause, may stream again
				arguments(status(429, "TooManyRequests"), false, Step.START, false, Pause.Kind.BACKOFF, true),
				arguments(REFUSED, false, Step.START, false, Pause.Kind.RECONNECT, true),
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
		assertThat(decision.state().nextList().fresh()).isEqualTo(needFresh);
		assertThat(decision.pause().kind()).isEqualTo(pause);
		assertThat(decision.state().streams().mayStream(0)).isEqualTo(mayStreamAgain);
	}

	@Test
	void thirdStreamInARowThatDoesNotOpenIsReadInPagesOnce() {
		Decision first = streamFailed(this.fresh, IO);
		Decision second = streamFailed(first.state(), status(500, "InternalError"));
		Decision third = streamFailed(second.state(), IO);
		assertThat(second.step()).isEqualTo(Step.START);
		assertThat(third.step()).isEqualTo(Step.LIST);
		assertThat(third.pause().kind()).isEqualTo(Pause.Kind.BACKOFF);
		Decision listed = listed(third.state(), new ListRequest("0", 500, ""), new ListHeader("5", ""), false);
		assertThat(this.lists.startBy(listed.state(), 0)).isEqualTo(Step.STREAM);
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
		assertThat(third.state().streams().mayStream(0)).isTrue();
	}

	@Test
	void serverWithoutMarkerIsReadInPagesForADay() {
		Decision overdue = this.lists.streamOverdue(this.fresh, 1000);
		assertThat(overdue.step()).isEqualTo(Step.START);
		assertThat(this.lists.startBy(overdue.state(), 1000)).isEqualTo(Step.LIST);
		assertThat(this.lists.startBy(overdue.state(), 1000 + Duration.ofHours(24).toNanos())).isEqualTo(Step.STREAM);
	}

	@Test
	void modeDecidesHowFullStatesAreAskedFor() {
		ReflectorState unsupported = this.fresh.with(this.fresh.streams().unsupported(LONG.toNanos()));
		for (ListMode mode : ListMode.values()) {
			ListDecisions rules = new ListDecisions(ReflectorTimings.defaults(), mode, 0);
			assertThat(rules.startBy(this.fresh, 0)).isEqualTo((mode != ListMode.PAGED) ? Step.STREAM : Step.LIST);
			assertThat(rules.startBy(unsupported, 0)).isEqualTo((mode == ListMode.STREAMING) ? Step.STREAM : Step.LIST);
		}
	}

	@Test
	void streamIsAskedForAtTheLastVersionUnlessItMustBeFresh() {
		assertThat(this.lists.streamRequest(this.fresh, 7)).isEqualTo(new WatchRequest("", 7, true, false));
		assertThat(this.lists.streamRequest(this.watching, 7)).isEqualTo(new WatchRequest("100", 7, true, false));
		assertThat(this.lists.streamRequest(this.watching.needingFresh(), 7))
			.isEqualTo(new WatchRequest("", 7, true, false));
	}

	@ParameterizedTest
	@CsvSource({ "100, 99, START, true", "'', 99, WATCH, false", "100, 100, WATCH, false" })
	void streamOlderThanWhatWasSeenIsDiscardedUnlessItIsAuthoritative(String asked, String marker, Step step,
			boolean needFresh) {
		Decision decision = streamed(this.watching, new WatchRequest(asked, 7, true, false), marker);
		assertThat(decision.step()).isEqualTo(step);
		assertThat(decision.state().nextList().fresh()).isEqualTo(needFresh);
	}

	@ParameterizedTest
	@CsvSource({ "99, START, true", "100, WATCH, false", "101, WATCH, false", "'', WATCH, false", "abc, WATCH, false" })
	void serverThatHasLessThanItHadIsListedAfresh(String version, Step step, boolean needFresh) {
		Decision decision = this.watches.probed(this.watching, version);
		assertThat(decision.step()).isEqualTo(step);
		assertThat(decision.state().nextList().fresh()).isEqualTo(needFresh);
	}

	static Stream<Arguments> failedProbes() {
		return Stream.of(arguments(IO, Step.PROBE, Pause.Kind.BACKOFF),
				arguments(REFUSED, Step.PROBE, Pause.Kind.RECONNECT),
				arguments(SILENCE, Step.PROBE, Pause.Kind.BACKOFF),
				arguments(MALFORMED, Step.PROBE, Pause.Kind.BACKOFF),
				arguments(status(503, ""), Step.PROBE, Pause.Kind.BACKOFF),
				arguments(status(429, ""), Step.PROBE, Pause.Kind.BACKOFF),
				arguments(status(403, "Forbidden"), Step.WATCH, Pause.Kind.NONE),
				arguments(status(404, "NotFound"), Step.WATCH, Pause.Kind.NONE));
	}

	@ParameterizedTest
	@MethodSource("failedProbes")
	void probeThatFailsTwiceIsGivenUp(Failure failure, Step step, Pause.Kind pause) {
		Decision first = this.watches.notProbed(this.watching.needingProbe(), failure);
		assertThat(first.step()).isEqualTo(step);
		assertThat(first.pause().kind()).isEqualTo(pause);
		Decision second = this.watches.notProbed(first.state(), failure);
		assertThat(second.step()).isEqualTo(Step.WATCH);
		assertThat(second.pause().kind()).isEqualTo(pause);
		assertThat(this.watches.watchNotOpened(second.state(), status(429, "")).step()).isEqualTo(Step.WATCH);
		assertThat(this.watches.watchNotOpened(second.state(), IO).step()).isEqualTo(Step.PROBE);
	}

	@Test
	void probeThatIsDeniedByAServerThatStartsIsDueUntilTheWatchIsOpen() {
		ReflectorState state = this.watches.watchNotOpened(this.watching, REFUSED).state();
		state = this.watches.notProbed(state, status(403, "Forbidden")).state();
		Decision denied = this.watches.watchNotOpened(state, status(403, "Forbidden"));
		assertThat(denied.step()).isEqualTo(Step.PROBE);
		Decision probed = this.watches.probed(denied.state(), "100");
		assertThat(this.watches.watchNotOpened(probed.state(), status(403, "")).step()).isEqualTo(Step.WATCH);
	}

	@Test
	void silenceOfAServerThatSendsBookmarksIsDamage() {
		WatchEnd silence = new WatchEnd(SILENCE, LONG, false);
		ReflectorState state = heartbeats(this.watching);
		Decision first = this.watches.watchEnded(state, silence, 0);
		Decision second = this.watches.watchEnded(first.state(), silence, 0);
		Decision probed = this.watches.probed(second.state(), "100");
		Decision third = this.watches.watchEnded(probed.state(), silence, 0);
		Decision fourth = this.watches.watchEnded(third.state(), silence, 0);
		assertThat(first.step()).isEqualTo(Step.WATCH);
		assertThat(second.step()).isEqualTo(Step.PROBE);
		assertThat(this.watches.watchOpened(probed.state())).isEqualTo(WatchProof.EVENT);
		assertThat(third.step()).isEqualTo(Step.PROBE);
		assertThat(fourth.step()).isEqualTo(Step.START);
		assertThat(fourth.state().nextList().fresh()).isTrue();
	}

	static Stream<Arguments> emptyWatches() {
		WatchEnd closed = new WatchEnd(null, MIDDLE, false);
		WatchEnd reset = new WatchEnd(IO, MIDDLE, false);
		WatchEnd bookmark = new WatchEnd(null, MIDDLE, false, false);
		WatchEnd part = new WatchEnd(IO, MIDDLE, false, false);
		WatchEnd event = new WatchEnd(IO, MIDDLE, true);
		WatchEnd error = new WatchEnd(status(500, "InternalError"), MIDDLE, false, false);
		return Stream.of(
				// how watches ended -> what follows
				arguments(List.of(closed, closed), Step.WATCH), arguments(List.of(closed, closed, closed), Step.PROBE),
				arguments(List.of(reset, reset, reset), Step.PROBE),
				arguments(List.of(closed, reset, closed), Step.PROBE),
				arguments(List.of(closed, reset, bookmark), Step.WATCH),
				arguments(List.of(closed, bookmark, closed, closed), Step.WATCH),
				arguments(List.of(closed, part, closed, closed), Step.WATCH),
				arguments(List.of(closed, event, closed, closed, closed), Step.PROBE),
				arguments(List.of(closed, error, closed, closed), Step.WATCH),
				arguments(List.of(bookmark, bookmark, bookmark), Step.WATCH));
	}

	@ParameterizedTest
	@MethodSource("emptyWatches")
	void thirdWatchInARowThatIsCutWithoutAByteIsFollowedByAProbe(List<WatchEnd> ends, Step step) {
		ReflectorState state = this.watching;
		Decision decision = Decision.watch(state);
		for (WatchEnd end : ends) {
			decision = this.watches.watchEnded(decision.state(), end, 0);
		}
		assertThat(decision.step()).isEqualTo(step);
	}

	@ParameterizedTest
	@CsvSource({
			// version of the cache, of the probe -> what follows
			"100, 101, START, STALE", "100, 100, WATCH, ", "100, abc, WATCH, ", "abc, 101, WATCH, ", "100, '', WATCH, ",
			"100, 0,   WATCH, ", "100, 99,  START, STALE" })
	void probeThatIsNewerThanTheCacheAfterEmptyWatchesIsFollowedByAList(String cached, String probe, Step step,
			@Nullable InformerState shown) {
		ReflectorState state = emptyWatches(this.fresh.stored(cached, cached, 0), 3);
		Decision probed = this.watches.probed(state, probe);
		assertThat(probed.step()).isEqualTo(step);
		assertThat(probed.condition()).isEqualTo(shown);
		if (step == Step.START) {
			assertThat(probed.state().nextList().fresh()).isTrue();
			assertThat(probed.state().nextList().reason())
				.isEqualTo(probe.equals("99") ? ListReason.RESTORED : ListReason.SILENCE);
		}
		else {
			assertThat(emptyWatches(probed.state(), 2).doubts().probeDue()).isFalse();
			assertThat(emptyWatches(probed.state(), 3).doubts().probeDue()).isTrue();
		}
	}

	@Test
	void probeThatIsNewerThanTheCacheAfterAFailureIsFollowedByTheWatch() {
		ReflectorState failed = this.watches.watchNotOpened(emptyWatches(this.watching, 2), REFUSED).state();
		assertThat(this.watches.probed(failed, "101").step()).isEqualTo(Step.WATCH);
	}

	@Test
	void watchesThatAreNotAnsweredByAServerThatAnswersProbesAreDoubtedToo() {
		ReflectorState state = this.watching;
		for (int i = 0; i < 2; i++) {
			Decision silent = this.watches.watchNotOpened(state, SILENCE);
			assertThat(silent.step()).isEqualTo(Step.PROBE);
			Decision probed = this.watches.probed(silent.state(), "101");
			assertThat(probed.step()).isEqualTo(Step.WATCH);
			state = probed.state();
		}
		Decision third = this.watches.probed(this.watches.watchNotOpened(state, SILENCE).state(), "101");
		assertThat(third.step()).isEqualTo(Step.START);
		assertThat(third.state().nextList().reason()).isEqualTo(ListReason.SILENCE);
	}

	@Test
	void watchesThatAreNotAnsweredInAnOutageCostNoList() {
		ReflectorState state = this.watching;
		for (int i = 0; i < 5; i++) {
			state = this.watches.watchNotOpened(state, SILENCE).state();
			state = this.watches.notProbed(this.watches.notProbed(state, SILENCE).state(), SILENCE).state();
		}
		state = this.watches.watchNotOpened(state, REFUSED).state();
		assertThat(this.watches.probed(state, "101").step()).isEqualTo(Step.WATCH);
	}

	@Test
	void probeOfEmptyWatchesThatFailsTwiceIsGivenUpUntilThreeMoreAreEmpty() {
		ReflectorState state = emptyWatches(this.watching, 3);
		Decision second = this.watches.notProbed(this.watches.notProbed(state, IO).state(), IO);
		assertThat(second.step()).isEqualTo(Step.WATCH);
		assertThat(emptyWatches(second.state(), 2).doubts().probeDue()).isFalse();
		assertThat(emptyWatches(second.state(), 3).doubts().probeDue()).isTrue();
	}

	@Test
	void listsThatShowThatEmptyWatchesMissedNothingBecomeRarerUntilOneShowsAChange() {
		ReflectorState state = this.watching;
		for (int most : new int[] { 3, 6, 12, 12 }) {
			assertThat(emptyWatches(state, most - 1).doubts().probeDue()).isFalse();
			state = afterList(emptyWatches(state, most), false);
		}
		state = afterList(emptyWatches(state, 12), true);
		assertThat(emptyWatches(state, 3).doubts().probeDue()).isTrue();
	}

	private ReflectorState emptyWatches(ReflectorState before, int count) {
		ReflectorState state = before;
		for (int i = 0; i < count; i++) {
			state = this.watches.watchEnded(state, new WatchEnd(null, MIDDLE, false), 0).state();
		}
		return state;
	}

	private ReflectorState afterList(ReflectorState doubted, boolean changed) {
		String version = doubted.versions().last();
		ReflectorState listing = this.watches.probed(doubted, version + "0").state();
		assertThat(listing.nextList().reason()).isEqualTo(ListReason.SILENCE);
		Decision stored = listed(listing, new ListRequest("", 500, ""), new ListHeader(version + "0", ""), false);
		return this.lists.compared(listing, stored, changed).state();
	}

	@ParameterizedTest
	@CsvSource({
			// whether bookmarks came regularly, what a list showed -> whether it is quiet
			"false, false, true", "false, true, false", "true, false, false" })
	void silentServerWhoseVersionMovesIsQuietOnceAListShowedThatNothingWasMissed(boolean bookmarks, boolean changed,
			boolean quiet) {
		WatchEnd silence = new WatchEnd(SILENCE, LONG, false);
		ReflectorState state = bookmarks ? heartbeats(this.watching) : this.watching;
		Decision first = this.watches.watchEnded(state, silence, 0);
		Decision second = this.watches.watchEnded(first.state(), silence, 0);
		assertThat(second.step()).isEqualTo(Step.PROBE);
		assertThat(afterList(second.state(), changed).heartbeat().quiet()).isEqualTo(quiet);
	}

	@Test
	void floodsAreDoubtedAsSilenceAndNeverFollowedAtOnce() {
		WatchEnd flood = new WatchEnd(FLOOD, MIDDLE, false);
		ReflectorState state = heartbeats(this.watching);
		Decision first = this.watches.watchEnded(state, flood, 0);
		Decision second = this.watches.watchEnded(first.state(), flood, 0);
		Decision third = this.watches.watchEnded(this.watches.probed(second.state(), "100").state(), flood, 0);
		Decision fourth = this.watches.watchEnded(third.state(), flood, 0);
		assertThat(Stream.of(first, second, third, fourth)).extracting(Decision::step)
			.containsExactly(Step.WATCH, Step.PROBE, Step.PROBE, Step.START);
		assertThat(Stream.of(first, second, third, fourth)).extracting((each) -> each.pause().failures())
			.containsExactly(1, 2, 3, 4);
		assertThat(fourth.state().nextList().reason()).isEqualTo(ListReason.SILENCE);
		assertThat(flood.reason()).isEqualTo(WatchEndReason.FLOODED);
	}

	@Test
	void silenceOfAServerWithoutBookmarksIsBorne() {
		WatchEnd silence = new WatchEnd(SILENCE, LONG, false);
		Decision first = this.watches.watchEnded(this.watching, silence, 0);
		Decision second = this.watches.watchEnded(first.state(), silence, 0);
		ReflectorState quiet = this.watches.probed(second.state(), "100").state();
		assertThat(this.watches.watchOpened(quiet)).isEqualTo(WatchProof.TIME);
		assertThat(this.watches.watchRequest(quiet, 7, 0).patient()).isTrue();
		for (int i = 0; i < 10; i++) {
			Decision again = this.watches.watchEnded(quiet, silence, 0);
			assertThat(again.step()).isEqualTo(Step.PROBE);
			quiet = this.watches.probed(again.state(), "100").state();
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
			state = each.equals("/") ? this.watches.watchEnded(state, new WatchEnd(null, MIDDLE, true), 0).state()
					: this.watches.received(state, WatchEventType.BOOKMARK, "100",
							Duration.ofSeconds(Long.parseLong(each)).toNanos());
		}
		assertThat(state.heartbeat().regular()).isEqualTo(heartbeat);
	}

	@Test
	void rareBookmarkLeavesAQuietServerQuiet() {
		ReflectorState quiet = this.watching.with(this.watching.heartbeat().knownToBeQuiet());
		assertThat(received(quiet, WatchEventType.BOOKMARK, "101").heartbeat().quiet()).isTrue();
		assertThat(heartbeats(quiet).heartbeat().quiet()).isFalse();
	}

	@ParameterizedTest
	@CsvSource({
			// type, version of the event -> version of the cache
			"BOOKMARK, 99,  100", "BOOKMARK, 100, 100", "BOOKMARK, 101, 101", "BOOKMARK, 0,   100",
			"DELETED,  99,  100", "MODIFIED, 99,  100", "ADDED,    101, 101", "MODIFIED, abc, abc" })
	void noEventMovesTheVersionBack(WatchEventType type, String version, String expected) {
		ReflectorState state = received(this.watching, type, version);
		assertThat(state.versions().last()).isEqualTo(expected);
		assertThat(this.watches.watchRequest(state, 7, 0).resourceVersion()).isEqualTo(expected);
	}

	@Test
	void eventOfAVersionThatWasKnownIsNoProgress() {
		WatchEnd broken = new WatchEnd(MALFORMED, MIDDLE, true);
		ReflectorState state = this.watching;
		for (int i = 0; i < 2; i++) {
			state = this.watches.watchEnded(received(state, WatchEventType.DELETED, "99"), broken, 0).state();
		}
		state = received(state, WatchEventType.DELETED, "99");
		assertThat(this.watches.watchEnded(state, broken, 0).step()).isEqualTo(Step.START);
	}

	@Test
	void versionZeroIsNone() {
		ReflectorState newer = this.fresh.stored("", "7", 0);
		Decision listed = listed(newer, new ListRequest("0", 500, ""), new ListHeader("0", ""), false);
		assertThat(listed.step()).isEqualTo(Step.WATCH);
		assertThat(this.watches.watchRequest(listed.state(), 7, 0).resourceVersion()).isEmpty();
		assertThat(received(listed.state(), WatchEventType.ADDED, "9").versions().last()).isEmpty();
		assertThat(this.watches.probed(this.watching, "0").step()).isEqualTo(Step.WATCH);
		assertThat(streamed(newer, new WatchRequest("", 7, true, false), "0").state().versions().last()).isEmpty();
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
		ReflectorState state = withoutPages(this.watching);
		ListRequest whole = new ListRequest("100", 0, "");
		for (int i = 0; i < 3; i++) {
			assertThat(this.lists.listRequest(state)).isEqualTo(whole);
			Decision cut = this.lists.listFailed(state,
					new FailedPage(whole, failure, begun, Duration.ofSeconds(seconds)), 0);
			assertThat(cut.step()).isEqualTo(Step.START);
			assertThat(cut.pause().kind()).isNotEqualTo(Pause.Kind.NONE);
			state = cut.state();
		}
		assertThat(this.lists.listRequest(state)).isEqualTo(inPages ? new ListRequest("", 500, "") : whole);
		if (inPages) {
			// Pages that expire are begun anew, not read as a whole.
			Decision expired = listFailed(state, new ListRequest("", 500, "next"), status(410, "Expired"));
			assertThat(this.lists.listRequest(expired.state()).limit()).isEqualTo(500);
			assertThat(expired.pause().kind()).isEqualTo(Pause.Kind.BACKOFF);
			Decision listed = listed(state, new ListRequest("", 500, ""), new ListHeader("200", ""), true);
			assertThat(this.lists.listRequest(listed.state())).isEqualTo(new ListRequest("200", 0, ""));
		}
	}

	@ParameterizedTest
	@ValueSource(ints = { 400, 405, 406, 415, 422, 501 })
	void rejectedStreamIsTriedAgainAfterADay(int code) {
		ReflectorState rejected = this.lists.streamFailed(this.fresh, status(code, ""), 1000).state();
		long day = Duration.ofHours(24).toNanos();
		assertThat(this.lists.startBy(rejected, 1000 + day - 1)).isEqualTo(Step.LIST);
		assertThat(this.lists.startBy(rejected, 1000 + day)).isEqualTo(Step.STREAM);
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
				arguments(new WatchEnd(FLOOD, MIDDLE, true), null, WatchProof.EVENT),
				arguments(closed, REFUSED, WatchProof.TIME), arguments(closed, status(403, ""), WatchProof.TIME));
	}

	@ParameterizedTest
	@MethodSource("proofs")
	void watchAfterAFailureIsOnProbationUntilAnEventOrAList(WatchEnd end, @Nullable Failure unopened,
			WatchProof proof) {
		ReflectorState state = this.watches.watchEnded(this.watching, end, 0).state();
		state = (unopened != null) ? this.watches.watchNotOpened(state, unopened).state() : state;
		assertThat(this.watches.watchOpened(state)).isEqualTo(proof);
		assertThat(this.watches.watchOpened(received(state, WatchEventType.BOOKMARK, "100")))
			.isEqualTo(WatchProof.OPEN);
		assertThat(this.watches.watchOpened(state.stored("200", "200", 0))).isEqualTo(WatchProof.OPEN);
	}

	@Test
	void watchFromNowhereTakesNoVersionFromWhatIsThere() {
		ReflectorState unversioned = this.fresh.stored("", "", 0);
		assertThat(received(unversioned, WatchEventType.ADDED, "7").versions().last()).isEmpty();
		assertThat(received(unversioned, WatchEventType.MODIFIED, "7").versions().last()).isEqualTo("7");
	}

	@Test
	void expiredVersionAfterALongOutageIsListedSoon() {
		ReflectorState outage = this.watching;
		for (int i = 0; i < 10; i++) {
			outage = this.watches.watchNotOpened(outage, REFUSED).state();
		}
		Failure expired = status(410, "Expired");
		Decision first = this.watches.watchEnded(outage, new WatchEnd(expired, SHORT, false), 0);
		assertThat(first.pause().failures()).isEqualTo(1);
		ReflectorState listed = first.state().stored("200", "200", 0);
		Decision second = this.watches.watchEnded(listed, new WatchEnd(expired, SHORT, false), 0);
		assertThat(second.pause().failures()).isEqualTo(2);
		ReflectorState event = received(second.state(), WatchEventType.MODIFIED, "201");
		assertThat(this.watches.watchNotOpened(event, expired).pause().failures()).isEqualTo(3);
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
			state = this.watches.watchEnded(state, new WatchEnd(IO, Duration.ofSeconds(cut), true), 0).state();
			Decision decision = this.watches.watchEnded(state,
					new WatchEnd(expired, Duration.ofSeconds(expiring), true), 0);
			failures.append(decision.pause().failures()).append(' ');
			state = decision.state().stored("200", "200", 0);
		}
		assertThat(failures.toString().strip()).isEqualTo(waits);
	}

	@Test
	void cacheWithoutAVersionIsListedAfterEveryFailure() {
		ReflectorState unversioned = this.fresh.stored("", "", 0);
		assertThat(this.watches.watchNotOpened(unversioned, status(503, "")).step()).isEqualTo(Step.START);
		assertThat(this.watches.watchNotOpened(unversioned, status(429, "")).step()).isEqualTo(Step.START);
		assertThat(this.watches.watchEnded(unversioned, new WatchEnd(status(500, ""), MIDDLE, true), 0).step())
			.isEqualTo(Step.START);
		assertThat(this.watches.watchEnded(unversioned, new WatchEnd(IO, MIDDLE, true), 0).step())
			.isEqualTo(Step.START);
	}

	@Test
	void pagesThatExpireAgainWithoutPagesAreWaitedFor() {
		Decision again = listFailed(withoutPages(this.fresh), new ListRequest("", 0, "next"), status(410, "Expired"));
		assertThat(again.state().nextList().fresh()).isTrue();
		Decision third = listFailed(again.state(), new ListRequest("", 0, "next"), status(410, "Expired"));
		assertThat(third.pause().kind()).isEqualTo(Pause.Kind.BACKOFF);
	}

	@Test
	void unexpectedFailureIsListedAgain() {
		Decision decision = ListDecisions.unexpected(this.watching);
		assertThat(decision.step()).isEqualTo(Step.START);
		assertThat(decision.condition()).isEqualTo(InformerState.STALE);
		assertThat(decision.pause().kind()).isEqualTo(Pause.Kind.BACKOFF);
	}

	@Test
	void errorInAVerificationIsNotGivenUpAsAVerificationIs() {
		Decision broken = ListDecisions.unexpected(this.watching.verifying());
		assertThat(broken.step()).isEqualTo(Step.START);
		assertThat(broken.state().nextList().fresh()).isTrue();
		assertThat(broken.state().nextList().reason()).isEqualTo(ListReason.INTERNAL_ERROR);
	}

	static Stream<Arguments> failuresOfVerifications() {
		ListRequest first = new ListRequest("", 500, "");
		return Stream.of(
				// failure -> step, given up, pause, condition
				arguments(first, status(503, ""), Step.WATCH, true, Pause.Kind.BACKOFF, InformerState.STALE),
				arguments(first, REFUSED, Step.WATCH, true, Pause.Kind.RECONNECT, InformerState.STALE),
				arguments(first, status(403, "Forbidden"), Step.WATCH, true, Pause.Kind.BACKOFF,
						InformerState.FORBIDDEN),
				arguments(first, status(410, "Expired"), Step.WATCH, true, Pause.Kind.BACKOFF, null),
				arguments(new ListRequest("", 500, "next"), status(410, "Expired"), Step.LIST, false, Pause.Kind.NONE,
						null));
	}

	@ParameterizedTest
	@MethodSource("failuresOfVerifications")
	void verificationThatFailsIsGivenUpUntilTheNextTime(ListRequest request, Failure failure, Step step,
			boolean givenUp, Pause.Kind pause, @Nullable InformerState condition) {
		Decision decision = this.lists.listFailed(this.watching.verifying(),
				new FailedPage(request, failure, false, Duration.ZERO), 7);
		assertThat(decision.step()).isEqualTo(step);
		assertThat(decision.state().nextList().verifying()).isEqualTo(!givenUp);
		assertThat(decision.state().nextList().fresh()).isEqualTo(!givenUp);
		assertThat(decision.state().versions().comparedAt()).isEqualTo(givenUp ? 7 : 0);
		assertThat(decision.pause().kind()).isEqualTo(pause);
		assertThat(decision.condition()).isEqualTo(condition);
		assertThat(decision.inWords()).isEqualTo(givenUp ? "watch again from resourceVersion 100" : "list again");
	}

	@Test
	void verificationByAStreamIsGivenUpAsOneInPages() {
		ReflectorState verifying = this.watching.verifying();
		assertThat(streamFailed(verifying, IO).step()).isEqualTo(Step.WATCH);
		assertThat(streamFailed(verifying, status(400, "")).step()).isEqualTo(Step.LIST);
		assertThat(streamInterrupted(verifying, null).step()).isEqualTo(Step.WATCH);
		assertThat(streamInterrupted(verifying, null).isAtOnce()).isFalse();
		assertThat(this.lists.streamOverdue(verifying, 0).state().nextList().verifying()).isTrue();
	}

	@ParameterizedTest
	@CsvSource({
			// seconds since the cache was compared -> step, timeout of a watch then
			"0,  WATCH, 61", "30, WATCH, 31", "59, WATCH, 2", "60, START, 1", "90, START, 1" })
	void cacheIsComparedWithTheServerWhenAWatchEndsInTime(int seconds, Step step, int timeout) {
		WatchDecisions verifying = new WatchDecisions(
				ReflectorTimings.defaults().withVerifyEvery(Duration.ofSeconds(60)));
		long now = Duration.ofSeconds(seconds).toNanos();
		Decision closed = verifying.watchEnded(this.watching, new WatchEnd(null, MIDDLE, true), now);
		assertThat(closed.step()).isEqualTo(step);
		assertThat(closed.state().nextList().verifying()).isEqualTo(step == Step.START);
		assertThat(verifying.watchRequest(this.watching, 300, now).timeoutSeconds()).isEqualTo(timeout);
		assertThat(verifying.watchEnded(this.watching, new WatchEnd(IO, MIDDLE, true), now).step())
			.isEqualTo(Step.WATCH);
	}

	@ParameterizedTest
	@CsvSource({ "99, '', false, true, true", "100, '', false, false, false", "101, '', true, false, true",
			"99, 100, false, true, true" })
	void listIsComparedByContentIfItsVersionsProveNothing(String answered, String asked, boolean verifying,
			boolean regression, boolean compareContent) {
		ReflectorState state = verifying ? this.watching.verifying() : this.watching;
		CompleteList list = this.lists.listed(state, new ListRequest(asked, 0, ""), new ListHeader(answered, ""), false,
				0);
		assertThat(list.regression()).isEqualTo(regression);
		assertThat(list.compareContent()).isEqualTo(compareContent);
		assertThat(list.isStored()).isEqualTo(!regression || asked.isEmpty());
	}

	@ParameterizedTest
	@CsvSource({
			// problem -> how an open watch ended, why one was not opened
			"EXPIRED, EXPIRED, EXPIRED", "THROTTLED, THROTTLED, THROTTLED", "FORBIDDEN, REJECTED, REJECTED",
			"UNAVAILABLE, REJECTED, REJECTED", "TOO_LARGE, REJECTED, REJECTED", "IO, BROKEN, UNREACHABLE",
			"REFUSED_CONNECTION, BROKEN, UNREACHABLE", "SILENT, SILENT, UNREACHABLE", "MALFORMED, MALFORMED, MALFORMED",
			"MALFORMED_PROTOBUF, MALFORMED, MALFORMED", "INTERNAL, INTERNAL_ERROR, INTERNAL_ERROR" })
	void watchEndsForTheReasonOfItsProblem(Problem problem, WatchEndReason open, WatchEndReason unopened) {
		assertThat(new WatchEnd(new Failure(problem, null, "", ""), MIDDLE, true).reason()).isEqualTo(open);
		assertThat(WatchEnd.unopened(problem)).isEqualTo(unopened);
		assertThat(new WatchEnd(null, MIDDLE, true).reason()).isEqualTo(WatchEndReason.CLOSED);
	}

	@Test
	void failuresAreForgottenByAWatchThatLivedLongOnly() {
		ReflectorState failed = this.watching.failed().failed();
		assertThat(this.watches.watchEnded(failed, new WatchEnd(null, MIDDLE, true), 0).state().failures().count())
			.isEqualTo(2);
		assertThat(this.watches.watchEnded(failed, new WatchEnd(null, LONG, true), 0).state().failures().count())
			.isZero();
	}

	@Test
	void failuresAreForgottenByWatchesThatLivedLongTogetherWithoutAFailure() {
		ReflectorState state = this.watching.failed().failed();
		WatchEnd cut = new WatchEnd(IO, Duration.ofSeconds(50), true);
		state = this.watches.watchEnded(state, cut, 0).state();
		state = this.watches.watchEnded(state, cut, 0).state();
		assertThat(state.failures().count()).isEqualTo(2);
		ReflectorState failedAgain = this.watches.watchNotOpened(state, IO).state();
		assertThat(this.watches.watchEnded(failedAgain, cut, 0).state().failures().count()).isEqualTo(3);
		assertThat(this.watches.watchEnded(state, cut, 0).state().failures().count()).isZero();
	}

	@Test
	void watchesThatEndInErrorsNeverLiveLongTogether() {
		Failure throttled = status(429, "TooManyRequests");
		ReflectorState state = this.watching;
		for (int i = 1; i <= 10; i++) {
			state = this.watches.watchEnded(state, new WatchEnd(throttled, Duration.ofSeconds(50), true), 0).state();
			assertThat(state.failures().count()).isEqualTo(i);
		}
	}

	@Test
	void thirdBrokenFrameInARowAtOneVersionCostsAList() {
		WatchEnd broken = new WatchEnd(MALFORMED, MIDDLE, true);
		Decision first = this.watches.watchEnded(this.watching, broken, 0);
		Decision second = this.watches.watchEnded(first.state(), broken, 0);
		Decision third = this.watches.watchEnded(second.state(), broken, 0);
		assertThat(first.step()).isEqualTo(Step.WATCH);
		assertThat(second.step()).isEqualTo(Step.WATCH);
		assertThat(third.step()).isEqualTo(Step.START);
		ReflectorState afterEvent = received(second.state(), WatchEventType.MODIFIED, "101");
		assertThat(this.watches.watchEnded(afterEvent, broken, 0).step()).isEqualTo(Step.WATCH);
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
		assertThat(state.encoding().avoidsProtobuf()).isEqualTo(avoided);
	}

	private ReflectorState after(ReflectorState state, String outcome) {
		Failure malformed = outcome.equals(outcome.toUpperCase(Locale.ROOT)) ? MALFORMED_PROTOBUF : MALFORMED;
		ListRequest list = new ListRequest("100", 0, "");
		return switch (outcome) {
			case "L", "l" -> listFailed(state, list, malformed).state();
			case "S", "s" -> streamInterrupted(state, malformed).state();
			case "F", "f" -> this.watches.watchEnded(state, new WatchEnd(malformed, MIDDLE, true), 0).state();
			case "i" -> listFailed(state, list, IO).state();
			case "ok" -> listed(state, list, new ListHeader("100", ""), false).state();
			case "+" -> received(state, WatchEventType.MODIFIED, "101");
			default -> throw new IllegalArgumentException(outcome);
		};
	}

	@Test
	void malformedProtobufIsOtherwiseAnsweredAsAnythingMalformed() {
		assertThat(listFailed(this.watching, new ListRequest("100", 0, ""), MALFORMED_PROTOBUF).step())
			.isEqualTo(Step.START);
		assertThat(this.watches.watchEnded(this.watching, new WatchEnd(MALFORMED_PROTOBUF, MIDDLE, true), 0).step())
			.isEqualTo(Step.WATCH);
		assertThat(new WatchEnd(MALFORMED_PROTOBUF, MIDDLE, true).reason()).isEqualTo(WatchEndReason.MALFORMED);
		assertThat(Failure.of(new MalformedProtobufException("x")))
			.isEqualTo(new Failure(Problem.MALFORMED_PROTOBUF, null, "MalformedResponseException", "x"));
		assertThat(Failure.of(new MalformedResponseException("x")).problem()).isEqualTo(Problem.MALFORMED);
	}

	@Test
	void errorEventsAreAnsweredByResumingForThirtySecondsOnly() {
		WatchEnd error = new WatchEnd(status(500, "InternalError"), MIDDLE, false);
		Decision first = this.watches.watchEnded(this.watching, error, 0);
		Decision inTime = this.watches.watchEnded(first.state(), error, Duration.ofSeconds(30).toNanos());
		Decision late = this.watches.watchEnded(first.state(), error, Duration.ofSeconds(31).toNanos());
		assertThat(inTime.step()).isEqualTo(Step.WATCH);
		assertThat(late.step()).isEqualTo(Step.START);
		ReflectorState afterEvent = received(first.state(), WatchEventType.MODIFIED, "101");
		assertThat(this.watches.watchEnded(afterEvent, error, Duration.ofSeconds(90).toNanos()).step())
			.isEqualTo(Step.WATCH);
	}

	@Test
	void watchAfterSilenceShowsItselfAliveByItsFirstEventOnly() {
		Decision silent = this.watches.watchEnded(this.watching, new WatchEnd(SILENCE, LONG, false), 0);
		assertThat(this.watches.watchOpened(this.watching)).isEqualTo(WatchProof.OPEN);
		assertThat(this.watches.watchOpened(silent.state())).isEqualTo(WatchProof.EVENT);
		ReflectorState alive = received(silent.state(), WatchEventType.MODIFIED, "100");
		assertThat(this.watches.watchOpened(alive)).isEqualTo(WatchProof.OPEN);
	}

	@Test
	void emptyVersionOfAnEventNeverReplacesAKnownOne() {
		assertThat(received(this.watching, WatchEventType.MODIFIED, "").versions().last()).isEqualTo("100");
		assertThat(received(this.watching, WatchEventType.MODIFIED, "105").versions().last()).isEqualTo("105");
	}

	@Test
	void watchWithoutAVersionCannotBeResumed() {
		ReflectorState unversioned = this.fresh.stored("", "", 0);
		Decision decision = this.watches.watchEnded(unversioned, new WatchEnd(null, MIDDLE, true), 0);
		assertThat(decision.step()).isEqualTo(Step.START);
	}

	@Test
	void serverIsWaitedForAsLongAsItAsks() {
		Failure throttled = Failure.of(new ApiStatus(429, "TooManyRequests", "", "", 7));
		Decision decision = this.watches.watchNotOpened(this.watching, throttled);
		assertThat(decision.pause().atLeast()).isEqualTo(Duration.ofSeconds(7));
	}

	private Decision listed(ReflectorState state, ListRequest request, ListHeader header, boolean paged) {
		return this.lists.listed(state, request, header, paged, 0).decision();
	}

	private Decision streamed(ReflectorState state, WatchRequest request, String version) {
		return this.lists.streamed(state, request, version, 0).decision();
	}

	private static ReflectorState withoutPages(ReflectorState state) {
		return state.with(state.nextList().withoutPages());
	}

	private Decision listFailed(ReflectorState state, ListRequest request, Failure failure) {
		return this.lists.listFailed(state, new FailedPage(request, failure, false, Duration.ZERO), 0);
	}

	private Decision streamFailed(ReflectorState state, Failure failure) {
		return this.lists.streamFailed(state, failure, 0);
	}

	private Decision streamInterrupted(ReflectorState state, @Nullable Failure failure) {
		return this.lists.streamInterrupted(state, failure, 0);
	}

	private ReflectorState received(ReflectorState state, WatchEventType type, String version) {
		return this.watches.received(state, type, version, 0);
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
