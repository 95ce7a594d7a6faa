package dev.kubeinformer.internal.control;

import java.time.Duration;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import dev.kubeinformer.internal.control.LoopPace.Cause;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Rule by which keys are slowed down.
 */
class LoopPaceTests {

	private static final long START = 7_000_000_000L;

	@ParameterizedTest
	@CsvSource(textBlock = """
			# runs, cause,     ms between, ms of the interval afterwards
			  30,   OWN_AGAIN, 10,         0
			  31,   OWN_AGAIN, 10,         1000
			  32,   OWN_AGAIN, 10,         2000
			  33,   OWN_AGAIN, 1000,       4000
			  34,   OWN_AGAIN, 10,         8000
			  35,   OWN_AGAIN, 10,         10000
			  90,   OWN_AGAIN, 10,         10000
			  200,  OWN_AGAIN, 2100,       0
			  300,  OWN_FIRST, 10,         0
			  301,  OWN_FIRST, 10,         1000
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

	@Test
	void changesByOthersNeitherCountNorEndASlowPace() {
		LoopPace pace = slowed();
		for (Cause cause : List.of(Cause.OTHERS, Cause.OTHERS)) {
			pace = pace.after(cause, pace.lastOwn() + millis(500));
		}
		assertThat(pace).isEqualTo(slowed());
	}

	@Test
	void slowPaceEndsAMinuteAfterTheLastOwnChange() {
		LoopPace pace = slowed();
		assertThat(pace.isSlowed(pace.lastOwn() + millis(60_000))).isTrue();
		assertThat(pace.isSlowed(pace.lastOwn() + millis(60_001))).isFalse();
		assertThat(pace.after(Cause.OTHERS, pace.lastOwn() + millis(60_001)).interval()).isZero();
		assertThat(pace.after(Cause.OWN_AGAIN, pace.lastOwn() + millis(60_001)).interval()).isZero();
		assertThat(pace.after(Cause.OWN_AGAIN, pace.lastOwn() + millis(59_000)).interval()).isEqualTo(millis(2000));
	}

	private static LoopPace slowed() {
		LoopPace pace = LoopPace.unlimited(START);
		for (int i = 0; i < 31; i++) {
			pace = pace.after(Cause.OWN_AGAIN, START + 1);
		}
		return pace;
	}

	private static long millis(long millis) {
		return Duration.ofMillis(millis).toNanos();
	}

}
