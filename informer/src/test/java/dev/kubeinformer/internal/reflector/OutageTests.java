package dev.kubeinformer.internal.reflector;

import java.net.SocketException;
import java.time.Duration;
import java.util.List;
import java.util.Random;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

import dev.kubeinformer.internal.codec.ApiStatus;
import dev.kubeinformer.internal.failure.Failure;
import dev.kubeinformer.internal.reflector.Outage.End;
import dev.kubeinformer.internal.reflector.Outage.Release;
import dev.kubeinformer.internal.reflector.Outage.Sign;
import dev.kubeinformer.internal.reflector.Outage.Source;
import dev.kubeinformer.internal.transport.Haste;
import dev.kubeinformer.types.Problem;

import static org.assertj.core.api.Assertions.assertThat;

class OutageTests {

	private static final Duration BRISK = Duration.ofSeconds(3);

	private final Random random = new Random(42);

	private final Outage outage = new Outage(ReflectorTimings.defaults(), () -> this.random);

	private final Source a = this.outage.join();

	private final Source b = this.outage.join();

	private final Source c = this.outage.join();

	private long now = 1_000_000_000_000L;

	@ParameterizedTest
	@EnumSource(Problem.class)
	void failureIsASignOfAnOutageIfTheServerIsMissedByWhateverWasAsked(Problem problem) {
		assertThat(Outage.sign(problem) == Sign.AWAY).isEqualTo(failure(problem).isServerAway());
	}

	@ParameterizedTest
	@EnumSource(
			names = { "UNAUTHORIZED", "FORBIDDEN", "NOT_FOUND", "EXPIRED", "THROTTLED", "MALFORMED", "BAD_REQUEST" })
	void failuresOfWhatWasAskedAreNoOutage(Problem problem) {
		for (Source source : List.of(this.a, this.b, this.c)) {
			ask(source);
			this.outage.failed(source, failure(problem), this.now);
		}
		assertThat(this.outage.isActive()).isFalse();
	}

	@Test
	void serverThatAnswersOneIsNotAway() {
		ask(this.a);
		this.outage.opened(this.a, this.now);
		fail(this.b);
		fail(this.c);
		assertThat(this.outage.isActive()).isFalse();
		fail(this.a);
		assertThat(this.outage.isActive()).isTrue();
		assertThat(this.outage.concerns(this.b)).isTrue();
	}

	@Test
	void oneWhoseWatchTheServerEndedIsNoWitnessForLong() {
		ask(this.a);
		this.outage.opened(this.a, this.now);
		this.outage.closed(this.a, this.now);
		fail(this.b);
		assertThat(this.outage.isActive()).isFalse();
		pass(BRISK);
		fail(this.b);
		assertThat(this.outage.isActive()).isTrue();
	}

	@Test
	void connectionsThatThisSideClosedAreNoOutageButWhatFailsNextIs() {
		for (Source source : List.of(this.a, this.b, this.c)) {
			ask(source);
			this.outage.opened(source, this.now);
		}
		for (Source source : List.of(this.a, this.b, this.c)) {
			this.outage.failed(source, Failure.of(new SocketException("Socket closed")), this.now);
		}
		assertThat(this.outage.isActive()).isFalse();
		fail(this.b);
		assertThat(this.outage.isActive()).isTrue();
	}

	@Test
	void oneThatIsDeniedWaitsForItself() {
		ask(this.a);
		this.outage.failed(this.a, failure(Problem.FORBIDDEN), this.now);
		pass(BRISK);
		fail(this.b);
		assertThat(this.outage.isActive()).isTrue();
		assertThat(this.outage.concerns(this.a)).isFalse();
	}

	@Test
	void oneAfterTheOtherAsks() {
		List.of(this.a, this.b, this.c).forEach(this::fail);
		assertThat(this.outage.untilTurn(this.a, this.now)).isLessThan(Duration.ofMillis(800).toNanos());
		assertThat(this.outage.untilTurn(this.b, this.now)).isEqualTo(Long.MAX_VALUE);
		assertThat(this.outage.untilTurn(this.c, this.now)).isEqualTo(Long.MAX_VALUE);
		awaitTurn(this.a);
		fail(this.a);
		assertThat(this.outage.untilTurn(this.a, this.now)).isEqualTo(Long.MAX_VALUE);
		awaitTurn(this.b);
		fail(this.b);
		awaitTurn(this.c);
	}

	@ParameterizedTest
	@CsvSource({ "1, 0, 800", "2, 800, 1600", "3, 1600, 3200", "4, 2800, 3500", "5, 2800, 3500", "100, 2800, 3500" })
	void waitsGrowToThreeAndAHalfSecondsAtMost(int number, long from, long to) {
		fail(this.a);
		for (int i = 1; i < number; i++) {
			awaitTurn(this.a);
			fail(this.a);
		}
		assertThat(awaitTurn(this.a)).isBetween(Duration.ofMillis(from), Duration.ofMillis(to));
	}

	@Test
	void serverIsAskedNoEarlierThanItAsksFor() {
		fail(this.a);
		fail(this.b, unavailable(30));
		assertThat(awaitTurn(this.a)).isBetween(Duration.ofSeconds(30), Duration.ofMillis(30_800));
	}

	@Test
	void serverThatAsksForDaysIsAskedAgainAfterFiveMinutes() {
		fail(this.a, unavailable(1_000_000));
		assertThat(awaitTurn(this.a)).isBetween(Duration.ofMinutes(5), Duration.ofMillis(300_800));
	}

	@Test
	void probeThatIsThrottledIsNoAnswerAndNobodyAsksBeforeItsTime() {
		fail(this.a);
		fail(this.b);
		awaitTurn(this.a);
		throttle(this.a, 20);
		assertThat(this.outage.concerns(this.a)).isTrue();
		assertThat(awaitTurn(this.b)).isBetween(Duration.ofSeconds(20), Duration.ofMillis(20_800));
		throttle(this.b, 10);
		assertThat(awaitTurn(this.a)).isBetween(Duration.ofSeconds(10), Duration.ofMillis(10_800));
		ask(this.a);
		assertThat(this.outage.answered(this.a, this.now).sources()).isEqualTo(2);
		assertThat(this.outage.takeRelease(this.b)).isEqualTo(Release.FORGIVEN);
	}

	@Test
	void probeThatIsThrottledAgainAndAgainIsSentMoreAndMoreRarely() {
		this.outage.leave(this.b);
		this.outage.leave(this.c);
		fail(this.a);
		for (int i = 0; i < 8; i++) {
			awaitTurn(this.a);
			throttle(this.a, 0);
		}
		assertThat(awaitTurn(this.a)).isBetween(Duration.ofSeconds(15), Duration.ofSeconds(30));
		throttle(this.a, 1_000_000);
		assertThat(awaitTurn(this.a)).isBetween(Duration.ofMinutes(5), Duration.ofMillis(300_800));
	}

	@Test
	void ofThoseThatAreThrottledWithoutATurnTheLastOneProbes() {
		for (Source each : List.of(this.a, this.b, this.c)) {
			this.outage.failed(each, failure(Problem.IO), this.now);
		}
		throttle(this.a, 20);
		throttle(this.b, 20);
		assertThat(this.outage.concerns(this.a)).as("it waits for itself").isFalse();
		assertThat(this.outage.concerns(this.b)).as("it waits for itself").isFalse();
		throttle(this.c, 20);
		assertThat(awaitTurn(this.c)).isBetween(Duration.ofSeconds(20), Duration.ofMillis(20_800));
		ask(this.b);
		assertThat(this.outage.answered(this.b, this.now)).isNotNull();
		assertThat(this.outage.takeRelease(this.c)).isEqualTo(Release.FORGIVEN);
	}

	@Test
	void waitBeginsWhenTheRequestEnds() {
		fail(this.a);
		for (int i = 0; i < 5; i++) {
			awaitTurn(this.a);
			ask(this.a);
			pass(Duration.ofSeconds(2));
			this.outage.failed(this.a, failure(Problem.REFUSED_CONNECTION), this.now);
		}
		assertThat(awaitTurn(this.a)).isBetween(Duration.ofMillis(2800), Duration.ofMillis(3500));
	}

	@Test
	void requestThatHungPutsOffNoOther() {
		fail(this.a);
		for (int i = 0; i < 5; i++) {
			awaitTurn(this.a);
			ask(this.a);
			pass(BRISK);
			this.outage.failed(this.a, failure(Problem.SILENT), this.now);
		}
		assertThat(awaitTurn(this.a)).isLessThanOrEqualTo(Duration.ofSeconds(1));
	}

	@Test
	void workInVainIsNotAskedForAtOnce() {
		fail(this.a);
		ask(this.a);
		pass(Duration.ofSeconds(60));
		this.outage.failed(this.a, new Failure(Problem.TIMEOUT, status(504, null), "", ""), this.now);
		assertThat(awaitTurn(this.a)).isGreaterThanOrEqualTo(Duration.ofSeconds(30));
	}

	@Test
	void answerLetsAllOthersGo() {
		List.of(this.a, this.b, this.c).forEach(this::fail);
		awaitTurn(this.a);
		pass(Duration.ofSeconds(20));
		ask(this.a);
		End end = this.outage.answered(this.a, this.now);
		assertThat(end.sources()).isEqualTo(3);
		assertThat(end.duration()).isGreaterThanOrEqualTo(Duration.ofSeconds(20));
		assertThat(end.counts()).isTrue();
		assertThat(this.outage.isActive()).isFalse();
		assertThat(this.outage.takeRelease(this.b)).isEqualTo(Release.FORGIVEN);
		assertThat(this.outage.takeRelease(this.b)).isEqualTo(Release.NONE);
		assertThat(this.outage.takeRelease(this.c)).isEqualTo(Release.FORGIVEN);
		assertThat(this.outage.answered(this.b, this.now)).isNull();
	}

	@Test
	void refusalIsAnAnswerToo() {
		List.of(this.a, this.b).forEach(this::fail);
		ask(this.a);
		assertThat(this.outage.failed(this.a, failure(Problem.FORBIDDEN), this.now)).isNotNull();
		assertThat(this.outage.takeRelease(this.b)).isEqualTo(Release.FORGIVEN);
	}

	@Test
	void questionWithoutAnAnswerIsFollowedByAnotherOneBesideIt() {
		List.of(this.a, this.b, this.c).forEach(this::fail);
		List.of(this.a, this.b, this.c).forEach((each) -> this.outage.untilTurn(each, this.now));
		awaitTurn(this.a);
		assertThat(ask(this.a)).as("as long as usual").isNull();
		assertThat(this.outage.untilTurn(this.b, this.now)).isGreaterThanOrEqualTo(BRISK.toNanos());
		awaitTurn(this.b);
		assertThat(ask(this.b)).isEqualTo(new Haste(BRISK, BRISK, false));
		pass(BRISK);
		this.outage.failed(this.b, failure(Problem.SILENT), this.now);
		awaitTurn(this.c);
		assertThat(ask(this.c)).isEqualTo(new Haste(BRISK, BRISK, false));
		End end = this.outage.answered(this.c, this.now);
		assertThat(end.recalled()).containsExactly(this.a);
		assertThat(this.outage.failed(this.a, failure(Problem.IO), this.now)).isNull();
		assertThat(this.outage.takeRelease(this.a)).isEqualTo(Release.FORGIVEN);
		assertThat(this.outage.isActive()).isFalse();
	}

	@ParameterizedTest
	@CsvSource({ "1, 3, 3, 20", "6, 3, 3, 20", "24, 3, 12, 20", "80, 10, 40, 40", "600, 75, 300, 300" })
	void oneWhoIsAloneIsMoreAndMorePatient(long away, long connecting, long answer, long answerWithAFullState) {
		this.outage.leave(this.b);
		this.outage.leave(this.c);
		fail(this.a);
		pass(Duration.ofSeconds(away));
		assertThat(ask(this.a)).isEqualTo(new Haste(Duration.ofSeconds(connecting), Duration.ofSeconds(answer), false));
		this.outage.failed(this.a, failure(Problem.SILENT), this.now);
		assertThat(this.outage.begins(this.a, true, this.now))
			.isEqualTo(new Haste(Duration.ofSeconds(connecting), Duration.ofSeconds(answerWithAFullState), false));
	}

	@ParameterizedTest
	@EnumSource(names = { "REFUSED_CONNECTION", "SILENT", "UNAVAILABLE", "SERVER_ERROR", "TIMEOUT" })
	void answerIsHurriedOnceARequestShowedThatTheServerIsAway(Problem problem) {
		this.outage.leave(this.b);
		this.outage.leave(this.c);
		for (int i = 0; i < 2; i++) {
			ask(this.a);
			this.outage.opened(this.a, this.now);
			this.outage.failed(this.a, failure(Problem.IO), this.now);
			assertThat(ask(this.a)).as("a watch that broke").isEqualTo(new Haste(BRISK, null, false));
			this.outage.failed(this.a, failure(Problem.IO), this.now);
			assertThat(this.outage.begins(this.a, true, this.now)).as("a connection that was cut")
				.isEqualTo(new Haste(BRISK, null, false));
			this.outage.failed(this.a, failure(problem), this.now);
			assertThat(ask(this.a)).isEqualTo(new Haste(BRISK, BRISK, false));
			this.outage.failed(this.a, failure(Problem.IO), this.now);
			assertThat(ask(this.a)).isEqualTo(new Haste(BRISK, BRISK, false));
			this.outage.answered(this.a, this.now);
		}
	}

	@Test
	void watchThatFellSilentHurriesOnlyTheNextConnect() {
		this.outage.leave(this.b);
		this.outage.leave(this.c);
		ask(this.a);
		this.outage.opened(this.a, this.now);
		this.outage.failed(this.a, failure(Problem.SILENT), this.now);
		assertThat(ask(this.a)).isEqualTo(new Haste(BRISK, null, false));
	}

	@Test
	void serverThatAnswersWithErrorsIsAskedOverNewConnections() {
		this.outage.leave(this.b);
		this.outage.leave(this.c);
		fail(this.a, unavailable(0));
		awaitTurn(this.a);
		assertThat(ask(this.a).fresh()).isFalse();
		this.outage.failed(this.a, unavailable(0), this.now);
		awaitTurn(this.a);
		assertThat(ask(this.a).fresh()).isTrue();
	}

	@Test
	void serverThatFailsAtEachReturnIsAskedMoreAndMoreRarely() {
		Release release = Release.NONE;
		Duration wait = Duration.ZERO;
		for (int i = 0; i < 6; i++) {
			fail(this.a);
			fail(this.b);
			wait = awaitTurn(this.a);
			ask(this.a);
			this.outage.answered(this.a, this.now);
			release = this.outage.takeRelease(this.b);
			assertThat(release).isEqualTo((i < 3) ? Release.FORGIVEN : Release.RELEASED);
			pass(BRISK);
		}
		assertThat(wait).isBetween(Duration.ofMillis(11_200), Duration.ofSeconds(14));
		pass(Duration.ofSeconds(121));
		fail(this.a);
		assertThat(awaitTurn(this.a)).isLessThan(Duration.ofMillis(800));
	}

	@Test
	void connectionThatWasCutIsNoOutageThatCounts() {
		for (int i = 0; i < 10; i++) {
			for (Source source : List.of(this.a, this.b, this.c)) {
				this.outage.failed(source, failure(Problem.IO), this.now);
			}
			ask(this.a);
			End end = this.outage.opened(this.a, this.now);
			assertThat(end.counts()).isFalse();
			pass(Duration.ofSeconds(10));
		}
		fail(this.a);
		assertThat(awaitTurn(this.a)).isLessThan(Duration.ofMillis(800));
	}

	@Test
	void oneThatIsStoppedHoldsUpNobody() {
		fail(this.a);
		fail(this.b);
		awaitTurn(this.a);
		fail(this.a);
		this.outage.untilTurn(this.b, this.now);
		this.outage.untilTurn(this.a, this.now);
		this.outage.leave(this.b);
		awaitTurn(this.a);
		ask(this.a);
		this.outage.leave(this.a);
		assertThat(this.outage.isActive()).isFalse();
		assertThat(this.outage.next()).isNull();
	}

	@Test
	void oneThatWasStoppedBeginsNoOutage() {
		this.outage.leave(this.b);
		this.outage.leave(this.c);
		ask(this.a);
		this.outage.opened(this.a, this.now);
		this.outage.leave(this.a);
		// The stop aborts what it reads.
		this.outage.failed(this.a, failure(Problem.IO), this.now);
		assertThat(this.outage.isActive()).isFalse();
		Source next = this.outage.join();
		fail(next);
		assertThat(this.outage.isActive()).isTrue();
		assertThat(this.outage.failed(this.a, failure(Problem.FORBIDDEN), this.now)).isNull();
		assertThat(this.outage.isActive()).isTrue();
	}

	@Test
	void requestThatEndedWithoutAnAnswerIsOver() {
		this.outage.leave(this.c);
		fail(this.a);
		ask(this.b);
		this.outage.closed(this.b, this.now);
		this.outage.untilTurn(this.a, this.now);
		pass(Duration.ofMinutes(10));
		assertThat(ask(this.a).answer()).as("it is alone").isGreaterThan(BRISK);
	}

	@ParameterizedTest
	@CsvSource({ "2, false", "19, false", "21, true" })
	void requestOfOneThatHasNotLostTheServerIsSentAgainOnlyAfterLong(long seconds, boolean again) {
		fail(this.a);
		ask(this.b);
		ask(this.c);
		pass(Duration.ofSeconds(seconds));
		End end = this.outage.answered(this.b, this.now);
		assertThat(end.recalled()).isEqualTo(again ? List.of(this.c) : List.of());
		assertThat(this.outage.takeRelease(this.a)).isEqualTo(Release.FORGIVEN);
		assertThat(this.outage.takeRelease(this.c)).isEqualTo(again ? Release.FORGIVEN : Release.NONE);
	}

	private Haste ask(Source source) {
		return this.outage.begins(source, false, this.now);
	}

	private void fail(Source source) {
		fail(source, failure(Problem.REFUSED_CONNECTION));
	}

	private void fail(Source source, Failure failure) {
		ask(source);
		this.outage.failed(source, failure, this.now);
	}

	private void throttle(Source source, int retryAfter) {
		ask(source);
		this.outage.failed(source, new Failure(Problem.THROTTLED, status(429, retryAfter), "", ""), this.now);
		assertThat(this.outage.isActive()).isTrue();
	}

	private void pass(Duration time) {
		this.now += time.toNanos();
	}

	private Duration awaitTurn(Source source) {
		long begin = this.now;
		for (long left = this.outage.untilTurn(source, this.now); left > 0; left = this.outage.untilTurn(source,
				this.now)) {
			assertThat(left).as("it is next").isNotEqualTo(Long.MAX_VALUE);
			this.now += left;
		}
		return Duration.ofNanos(this.now - begin);
	}

	private static Failure failure(Problem problem) {
		return new Failure(problem, null, "", "");
	}

	private static Failure unavailable(int retryAfter) {
		return new Failure(Problem.UNAVAILABLE, status(503, retryAfter), "", "");
	}

	private static ApiStatus status(int code, Integer retryAfter) {
		return new ApiStatus(code, "", "", "", retryAfter);
	}

}
