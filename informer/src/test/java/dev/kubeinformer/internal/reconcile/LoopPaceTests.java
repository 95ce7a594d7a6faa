package dev.kubeinformer.internal.reconcile;

import java.time.Duration;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import dev.kubeinformer.internal.reconcile.LoopPace.Cause;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Rule by which keys are slowed down.
 */
class LoopPaceTests {

	private static final long START = 7_000_000_000L;

	@ParameterizedTest
	@CsvSource(textBlock = """
			# runs, cause,     ms between, ms of the interval afterwards
			  30,   OWN_OFTEN, 10,         0
			  31,   OWN_OFTEN, 10,         1000
			  32,   OWN_OFTEN, 10,         2000
			  33,   OWN_OFTEN, 1000,       4000
			  34,   OWN_OFTEN, 10,         8000
			  35,   OWN_OFTEN, 10,         10000
			  90,   OWN_OFTEN, 10,         10000
			  200,  OWN_OFTEN, 2100,       0
			  300,  OWN_FIRST, 10,         0
			  301,  OWN_FIRST, 10,         1000
			  9000, OWN_FEW,   1,          0
			  9000, OTHERS,    1,          0
			""")
	void intervalFollowsFromTheRunsOfAMinute(int runs, Cause cause, long between, long interval) {
		LoopPace pace = LoopPace.unlimited(START);
		long now = START;
		for (int i = 0; i < runs; i++) {
			now += millis(between);
			pace = pace.after(cause, now);
		}
		assertThat(pace.interval()).isEqualTo(millis(interval));
		assertThat(pace.isSlowed(now)).isEqualTo(interval > 0);
	}

	@ParameterizedTest
	@CsvSource(textBlock = """
			# ms between, runs, ms of the interval afterwards
			  1000,       1,    2000
			  2000,       1,    2000
			  2100,       1,    1000
			  5000,       12,   1000
			  5000,       13,   0
			  10000,      1,    1000
			  10001,      1,    0
			  30000,      1,    0
			""")
	void rareRunsNeitherLengthenTheIntervalNorKeepIt(long between, int runs, long interval) {
		LoopPace pace = slowed(START);
		long now = START;
		for (int i = 0; i < runs; i++) {
			now += millis(between);
			pace = pace.after(Cause.OWN_FEW, now);
		}
		assertThat(pace.interval()).isEqualTo(millis(interval));
	}

	@Test
	void keysThatWaitTenSecondsForEachOtherStaySlow() {
		LoopPace pace = slowest(START);
		assertThat(pace.interval()).isEqualTo(millis(10_000));
		assertThat(pace.isSlowed(pace.lastOwn() + millis(20_000))).isTrue();
		assertThat(pace.isSlowed(pace.lastOwn() + millis(25_001))).isFalse();
		assertThat(pace.at(pace.lastOwn() + millis(25_001)).interval()).isZero();
	}

	@Test
	void slowPaceEndsAfterAMinuteWhateverComes() {
		LoopPace pace = slowed(START);
		long now = START;
		while (now - START < millis(60_000)) {
			now += millis(5000);
			assertThat(pace.isSlowed(now)).isTrue();
			pace = pace.after(Cause.OWN_FEW, now);
		}
		assertThat(pace.isSlowed(now + 1)).isFalse();
		now += millis(5000);
		for (int i = 0; i < 100; i++) {
			now += millis(5000);
			pace = pace.after(Cause.OWN_FEW, now);
			assertThat(pace.interval()).isZero();
		}
	}

	@ParameterizedTest
	@CsvSource({ "1, 1", "2, 2", "3, 4", "4, 8", "5, 16", "6, 16", "9, 16" })
	void loopThatGoesOnIsSlowForLongerEachTime(int times, int minutes) {
		LoopPace pace = LoopPace.unlimited(START);
		long now = START;
		long slow = 0;
		for (int i = 0; i < times; i++) {
			for (int j = 0; j < 31; j++) {
				now += millis(1000);
				pace = pace.after(Cause.OWN_OFTEN, now);
			}
			assertThat(pace.isSlowed(now)).isTrue();
			long began = now;
			pace = ended(pace);
			now = pace.turned();
			slow = now - began;
		}
		assertThat(slow).isBetween(millis(minutes * 60_000L), millis(minutes * 60_000L + 10_000));
	}

	@Test
	void loopThatComesBackLaterIsSlowForAMinuteAtFirst() {
		LoopPace ended = ended(slowed(START));
		assertThat(slowed(ended, ended.turned() + millis(120_000)).longest()).isEqualTo(millis(120_000));
		assertThat(slowed(ended, ended.turned() + millis(120_001)).longest()).isEqualTo(millis(60_000));
	}

	@Test
	void changesByOthersNeitherCountNorEndASlowPace() {
		LoopPace pace = slowed(START);
		for (Cause cause : List.of(Cause.OTHERS, Cause.OTHERS)) {
			pace = pace.after(cause, pace.lastOwn() + millis(500));
		}
		assertThat(pace).isEqualTo(slowed(START));
	}

	/** Pace after a slow pace whose runs came as soon as they might. */
	private static LoopPace ended(LoopPace slow) {
		LoopPace pace = slow;
		long now = pace.lastOwn();
		while (pace.isSlowed(now)) {
			pace = pace.after(Cause.OWN_FEW, now);
			now += pace.interval();
		}
		return pace.at(now);
	}

	private static LoopPace slowest(long now) {
		LoopPace pace = slowed(now);
		for (int i = 0; i < 4; i++) {
			pace = pace.after(Cause.OWN_FEW, now);
		}
		return pace;
	}

	private static LoopPace slowed(long now) {
		return slowed(LoopPace.unlimited(now), now);
	}

	private static LoopPace slowed(LoopPace before, long now) {
		LoopPace pace = before;
		for (int i = 0; i < 31; i++) {
			pace = pace.after(Cause.OWN_OFTEN, now);
		}
		return pace;
	}

	private static long millis(long millis) {
		return Duration.ofMillis(millis).toNanos();
	}

}
