package dev.kubeinformer.benchmark.compare;

import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for {@link ResultLine}.
 */
class ResultLineTests {

	@Test
	void whatIsWrittenShouldBeReadAmongOtherLines() {
		Map<Measure, Double> values = Map.of(Measure.WALL, 1234.5, Measure.CPU, 2.0);
		assertThat(ResultLine.find(List.of("a warning", ResultLine.of(values), "the end"), null)).contains(values);
	}

	@Test
	void lastResultLineShouldCount() {
		List<String> output = List.of("RESULT {\"wall\":1}", "RESULT {\"wall\":2}");
		assertThat(ResultLine.find(output, null)).contains(Map.of(Measure.WALL, 2.0));
	}

	@Test
	void outputWithoutResultShouldTellNothing() {
		assertThat(ResultLine.find(List.of("wall=3"), null)).isEmpty();
	}

	@Test
	void groupsOfAPatternShouldBeFigures() {
		Pattern pattern = Pattern
			.compile("adds in (?<wallSeconds>[0-9.]+) s, cpu (?<cpu>[0-9.]+) s(, heap (?<retained>[0-9]+) MB)?");
		assertThat(ResultLine.find(List.of("other: 20000 adds in 1.25 s, cpu 1.1 s, heap 150 MB"), pattern))
			.contains(Map.of(Measure.WALL, 1250.0, Measure.CPU, 1.1, Measure.RETAINED, 150.0));
		assertThat(ResultLine.find(List.of("20000 adds in 1.25 s, cpu 1.1 s"), pattern))
			.contains(Map.of(Measure.WALL, 1250.0, Measure.CPU, 1.1));
	}

	@Test
	void unknownFigureShouldBeNamedWithTheKnownOnes() {
		assertThatIllegalArgumentException().isThrownBy(() -> ResultLine.find(List.of("RESULT {\"walls\":1}"), null))
			.withMessageContaining("\"walls\"")
			.withMessageContaining("wall, sinceStart");
		assertThatIllegalArgumentException().isThrownBy(() -> ResultLine.check(Pattern.compile("(?<speed>.*)")))
			.withMessageContaining("\"speed\"");
		assertThatIllegalArgumentException().isThrownBy(() -> ResultLine.check(Pattern.compile("(?<cpuSeconds>.*)")))
			.withMessageContaining("\"cpuSeconds\"");
	}

	@Test
	void brokenResultLineShouldBeShown() {
		assertThatIllegalArgumentException().isThrownBy(() -> ResultLine.find(List.of("RESULT {wall}"), null))
			.withMessageContaining("{wall}");
		assertThatIllegalArgumentException()
			.isThrownBy(() -> ResultLine.find(List.of("RESULT {\"wall\":\"1 s\"}"), null))
			.withMessageContaining("\"wall\"")
			.withMessageContaining("not a number");
	}

}
