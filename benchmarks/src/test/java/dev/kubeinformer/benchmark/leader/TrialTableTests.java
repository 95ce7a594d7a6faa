package dev.kubeinformer.benchmark.leader;

import java.time.Duration;
import java.util.List;
import java.util.stream.LongStream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class TrialTableTests {

	private static final Duration BOUND = Duration.ofSeconds(10);

	@Test
	void figuresBelowTheirBoundShouldPass() {
		assertThat(TrialTable.problems(killed(9000, 9500, 10000))).isEmpty();
	}

	@Test
	void singleFigureWithinTheToleranceShouldPassBesideOthers() {
		assertThat(TrialTable.problems(killed(9000, 9500, 12000))).isEmpty();
	}

	@Test
	void figureBeyondTheToleranceShouldBeAProblem() {
		assertThat(TrialTable.problems(killed(9000, 9500, 12001))).singleElement().asString().contains("12.00 s");
	}

	@Test
	void medianBeyondTheBoundShouldBeAProblem() {
		assertThat(TrialTable.problems(killed(9000, 10001, 10002))).hasSize(1);
	}

	@Test
	void slackBelowItsBoundShouldBeAProblem() {
		TrialResult slack = new TrialResult(Trial.Kind.SLACK.title(), Duration.ofMillis(6999), Duration.ofSeconds(7),
				List.of());
		assertThat(TrialTable.problems(List.of(slack))).hasSize(1);
	}

	@Test
	void problemOfATrialShouldBeOneOfTheResults() {
		TrialResult result = new TrialResult("killed", Duration.ofSeconds(1), BOUND, List.of("Two led"));
		assertThat(TrialTable.problems(List.of(result))).containsExactly("killed: Two led");
		assertThat(TrialTable.text(List.of(result))).contains("| no ");
	}

	private static List<TrialResult> killed(long... millis) {
		return LongStream.of(millis)
			.mapToObj((figure) -> new TrialResult("killed", Duration.ofMillis(figure), BOUND, List.of()))
			.toList();
	}

}
