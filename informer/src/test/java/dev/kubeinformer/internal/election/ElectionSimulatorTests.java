package dev.kubeinformer.internal.election;

import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Random schedules of three candidates: late and lost answers, skewed, drifting and
 * jumping clocks, suspensions up to a minute, partitions, crashes, stops, yields, drains
 * that fail, and edits of the Lease by others. No two hand-outs of work overlap, and no
 * write is sent outside of a term, but for one that was under way when its process was
 * suspended. Somebody leads when all is well again, and nothing changes any more then. A
 * failure names the seed, {@code -Delection.seed=…} plays it again, and
 * {@code -Delection.first=…} plays schedules that were never played.
 * <p>
 * A deletion of the Lease by others while a process starts that never saw it is left out:
 * that process creates the Lease anew, and no election by a Lease can see that there was
 * one.
 */
@Tag("once")
@Tag("slow")
class ElectionSimulatorTests {

	private static final int SCHEDULES = Boolean.getBoolean("tests.thorough") ? 10_000 : 1000;

	/** Number of schedules within which an overlap is found if a rule is broken. */
	private static final int FOUND_WITHIN = 1000;

	@Test
	@Timeout(value = 10, unit = TimeUnit.MINUTES)
	void noTwoProcessesLeadAtTheSameTime() {
		Long only = Long.getLong("election.seed");
		long first = (only != null) ? only : Long.getLong("election.first", 0);
		for (int i = 0; i < ((only != null) ? 1 : SCHEDULES); i++) {
			play(first + i);
		}
	}

	private static void play(long seed) {
		SimulatedWorld world = new SimulatedWorld(seed, new ElectionRules());
		try {
			world.play();
		}
		catch (RuntimeException | AssertionError ex) {
			throw new AssertionError(
					"The schedule of seed %d failed:%n%s".formatted(seed, String.join("\n", world.log)), ex);
		}
	}

	@Test
	void validityThatCountsFromTheAnswerOverlaps() {
		assertThat(overlaps(new ElectionRules() {

			@Override
			protected ClockReading validFrom(ClockReading sent, ClockReading answered) {
				return answered;
			}

		})).isTrue();
	}

	@Test
	void validityByTheClockThatHasAdvancedLessOverlaps() {
		assertThat(overlaps(new ElectionRules() {

			@Override
			public long termElapsed(ClockReading validFrom, ClockReading now) {
				return Math.min(now.monotonicSince(validFrom), now.wallSince(validFrom));
			}

		})).isTrue();
	}

	@Test
	void waitByTheClockThatHasAdvancedMoreOverlaps() {
		assertThat(overlaps(new ElectionRules() {

			@Override
			protected long waited(ClockReading from, ClockReading to) {
				return Math.max(to.monotonicSince(from), to.wallSince(from));
			}

		})).isTrue();
	}

	@Test
	void waitThatDoesNotMindRenewalsOverlaps() {
		assertThat(overlaps(new ElectionRules() {

			@Override
			protected boolean isUnchanged(LeaseAnswer.Found waiting, LeaseAnswer.Found read) {
				return waiting.record().holder().equals(read.record().holder());
			}

		})).isTrue();
	}

	@Test
	void releaseBeforeWorkHasEndedOverlaps() {
		assertThat(overlaps(new ElectionRules() {

			@Override
			protected boolean mayRelease(LeaseRecord justRead, String identity, boolean drained) {
				return true;
			}

		})).isTrue();
	}

	private static boolean overlaps(ElectionRules broken) {
		for (long seed = 0; seed < FOUND_WITHIN; seed++) {
			try {
				new SimulatedWorld(seed, broken).play();
			}
			catch (OverlapError ex) {
				return true;
			}
			catch (AssertionError ex) {
				// There is no leader, or the leader changes: this is not the searched
				// case.
				continue;
			}
		}
		return false;
	}

}
