package dev.kubeinformer.internal.shards;

import java.time.Instant;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import dev.kubeinformer.internal.election.ClockReading;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

/**
 * Random schedules of 3 to 20 members that share 64 slots: late and lost answers, late
 * requests, skewed, drifting and jumping clocks, suspensions, partitions, watches that
 * lag or are cut, crashes, joins, graceful leaves whose drain may not end, an API server
 * that is away, Leases that somebody deletes, and members with another number of slots.
 * No two members work on a slot at the same time, and nobody works after the end of its
 * term, as the world sees it. All slots have a worker soon after the last fault, evenly,
 * and at rest each member sends its renewals only. Changes of members without faults move
 * as few slots as possible.
 * <p>
 * A failure names the seed, {@code -Dshards.seed=…} plays it again,
 * {@code -Dshards.schedules=…} plays more, and {@code -Dshards.first=…} plays schedules
 * that were never played.
 * <p>
 * A deletion of the Lease by others while a process starts that never saw it is left out,
 * because that process cannot know that there was one.
 */
@Tag("once")
class ShardSimulatorTests {

	private static final int SCHEDULES = Integer.getInteger("shards.schedules",
			Boolean.getBoolean("tests.thorough") ? 10_000 : 30);

	private static final long FIRST = Long.getLong("shards.first", 0);

	/** Number of schedules within which an overlap is found if a rule is broken. */
	private static final int FOUND_WITHIN = 1000;

	/** Most moves in relation to the least possible number. */
	private static final double MOVES = 1.2;

	@Test
	@Timeout(value = 60, unit = TimeUnit.MINUTES)
	void noTwoMembersWorkOnASlotAtTheSameTime() {
		Long only = Long.getLong("shards.seed");
		if (only != null) {
			play(only);
			return;
		}
		seeds().forEach(ShardSimulatorTests::play);
	}

	private static LongStream seeds() {
		return LongStream.range(FIRST, FIRST + SCHEDULES).parallel();
	}

	private static void play(long seed) {
		try {
			new ShardWorld(seed, new ShardRules(), false).play();
		}
		catch (RuntimeException | AssertionError ex) {
			throw new AssertionError("The schedule of seed %d failed:%n%s".formatted(seed, log(seed)), ex);
		}
	}

	private static String log(long seed) {
		ShardWorld world = new ShardWorld(seed, new ShardRules(), true);
		try {
			world.play();
		}
		catch (RuntimeException | AssertionError ex) {
			world.note("%s", ex);
		}
		return String.join("\n", world.log);
	}

	@Test
	@Timeout(value = 60, unit = TimeUnit.MINUTES)
	void changesOfMembersMoveAsFewSlotsAsPossible() {
		seeds().forEach((seed) -> assertThat(new ShardWorld(seed, new ShardRules(), false).change())
			.as("moves of seed %d", seed)
			.isLessThanOrEqualTo(MOVES));
	}

	@Tag("slow")
	@ParameterizedTest
	@MethodSource("brokenRules")
	@Timeout(value = 10, unit = TimeUnit.MINUTES)
	void brokenRuleLetsTwoMembersWorkOnASlot(ShardRules broken) {
		for (long seed = 0; seed < FOUND_WITHIN; seed++) {
			try {
				new ShardWorld(seed, broken, false).play();
			}
			catch (SlotOverlapError ex) {
				return;
			}
			catch (AssertionError ex) {
				// Slots have no worker or do not rest: this is not the searched case.
				continue;
			}
		}
		throw new AssertionError("No overlap was found in %d schedules".formatted(FOUND_WITHIN));
	}

	static Stream<Arguments> brokenRules() {
		return Stream.of(argumentSet("list before the claim is stored", new ShardRules() {

			@Override
			protected SlotSet decidable(SlotSet claims, SlotSet stored) {
				return claims;
			}

		}), argumentSet("term that counts from the answer", new ShardRules() {

			@Override
			protected ClockReading validFrom(ClockReading sent, ClockReading answered) {
				return answered;
			}

		}), argumentSet("term by the clock that has advanced less", new ShardRules() {

			@Override
			public long termElapsed(ClockReading validFrom, ClockReading now) {
				return Math.min(now.monotonicSince(validFrom), now.wallSince(validFrom));
			}

		}), argumentSet("wait by the clock that has advanced more", new ShardRules() {

			@Override
			protected long waited(ClockReading from, ClockReading to) {
				return Math.max(to.monotonicSince(from), to.wallSince(from));
			}

		}), argumentSet("death by the time in the record", new ShardRules() {

			@Override
			protected boolean isDead(MemberRecord record, long waited, long duration, ClockReading now) {
				Instant renewed = record.renewTime();
				return renewed != null
						&& TimeUnit.MILLISECONDS.toNanos(now.wallMillis() - renewed.toEpochMilli()) >= duration;
			}

		}), argumentSet("release before the drain has ended", new ShardRules() {

			@Override
			protected SlotSet releasable(SlotSet draining, SlotSet drained) {
				return draining;
			}

		}), argumentSet("slot that is taken beside another claim", new ShardRules() {

			@Override
			protected boolean waitsForOtherClaims() {
				return false;
			}

		}), argumentSet("no read after a lost answer", new ShardRules() {

			@Override
			protected boolean readsAfterLostAnswer() {
				return false;
			}

		}), argumentSet("deleted Lease that frees its slots at once", new ShardRules() {

			@Override
			protected boolean remembersDeleted() {
				return false;
			}

		}));
	}

}
