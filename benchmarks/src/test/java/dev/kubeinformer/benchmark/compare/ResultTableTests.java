package dev.kubeinformer.benchmark.compare;

import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;

import dev.kubeinformer.benchmark.compare.Sample.Row;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ResultTable}.
 */
class ResultTableTests {

	private static final Row OURS = new Row(Scenario.SYNC, "ours", 1000, "");

	private static final Row OTHER = new Row(Scenario.SYNC, "other", 1000, "");

	@Test
	void rowShouldTellMedianAndExtremesOfItsRuns() {
		List<Sample> samples = List.of(measured(OURS, 1, Map.of(Measure.WALL, 300.0, Measure.CPU, 1.0)),
				measured(OTHER, 1, Map.of(Measure.WALL, 900.0)),
				measured(OURS, 2, Map.of(Measure.WALL, 100.0, Measure.CPU, 1.0)),
				measured(OURS, 3, Map.of(Measure.WALL, 200.0, Measure.CPU, 1.0)));
		assertThat(ResultTable.all(samples)).isEqualTo("""
				### Sync

				| client | objects | runs | sync, ms      | CPU, s |
				| ------ | ------- | ---- | ------------- | ------ |
				| ours   | 1000    | 3    | 200 (100–300) | 1.00   |
				| other  | 1000    | 1    | 900           | –      |
				""");
	}

	@Test
	void runsThatWereNotMeasuredShouldBeCounted() {
		List<Sample> samples = List.of(new Sample(OTHER, 1, Outcome.OUT_OF_MEMORY, Map.of()),
				new Sample(OTHER, 2, Outcome.OUT_OF_MEMORY, Map.of()), measured(OTHER, 3, Map.of(Measure.WALL, 9.0)));
		assertThat(ResultTable.all(samples)).contains("| other  | 1000    | 3, 2 out of memory | 9        |");
	}

	@Test
	void runsWithAnotherStateThanTheServerShouldBeSeen() {
		List<Sample> samples = List.of(new Sample(OURS, 1, Outcome.WRONG_STATE, Map.of()),
				measured(OURS, 2, Map.of(Measure.WALL, 9.0)),
				new Sample(OTHER, 1, Outcome.UNCHECKED, Map.of(Measure.WALL, 8.0)));
		assertThat(ResultTable.all(samples)).contains("| ours   | 1000    | 2, 1 wrong state   | 9        |",
				"| other  | 1000    | 1, 1 state unknown | 8        |");
	}

	@Test
	void variantsShouldBeRowsOfTheirOwnAndScenariosTables() {
		List<Sample> samples = List.of(
				measured(new Row(Scenario.WATCH, "ours", 5000, "5000/s"), 1, Map.of(Measure.P99, 1.25)),
				measured(new Row(Scenario.WATCH, "ours", 5000, "20000/s"), 1, Map.of(Measure.P99, 2.5)),
				measured(OURS, 1, Map.of(Measure.WALL, 300.0)));
		assertThat(ResultTable.all(samples)).containsSubsequence("### Sync", "300", "### Watch",
				"| ours   | 5000    | 5000/s  | 1    | 1.25    |", "| ours   | 5000    | 20000/s | 1    | 2.50    |");
	}

	@Test
	void resourcesShouldBeTablesOfTheirOwn() {
		Row custom = new Row(Scenario.SYNC, Resource.WIDGETS, "ours", 20, "");
		assertThat(ResultTable
			.all(List.of(measured(custom, 1, Map.of(Measure.WALL, 7.0)), measured(OURS, 1, Map.of(Measure.WALL, 5.0)))))
			.containsSubsequence("### Sync\n", "| 5 ", "### Sync of widgets\n",
					"| ours   | 20      | 1    | 7        |");
	}

	private static Sample measured(Row row, int run, Map<Measure, Double> values) {
		return new Sample(row, run, Outcome.MEASURED, values);
	}

}
