package dev.kubeinformer.benchmark.leader;

import java.util.List;

import org.junit.jupiter.api.Test;

import dev.kubeinformer.benchmark.leader.Records.Write;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of the order of writes.
 */
class RecordsTests {

	private static final Write FIRST = new Write("a", 1);

	private static final Write SECOND = new Write("b", 2);

	@Test
	void writesOfTermsThatFollowEachOtherShouldBeInOrder() {
		assertThat(Records.late(List.of(FIRST, FIRST, SECOND, SECOND))).isEmpty();
	}

	@Test
	void replicaThatLeadsAgainInALaterTermShouldBeInOrder() {
		assertThat(Records.late(List.of(FIRST, SECOND, new Write("a", 3)))).isEmpty();
	}

	@Test
	void writeOfAnEarlierTermShouldBeLate() {
		assertThat(Records.late(List.of(FIRST, SECOND, FIRST))).containsExactly(List.of(SECOND, FIRST));
	}

	@Test
	void writeOfAnotherReplicaInTheSameTermShouldBeLate() {
		Write other = new Write("b", 1);
		assertThat(Records.late(List.of(FIRST, other))).containsExactly(List.of(FIRST, other));
	}

}
