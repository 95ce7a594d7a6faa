package dev.kubeinformer.benchmark.compare;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link Forked}.
 */
class ForkedTests {

	private static final String RESULT = "RESULT {\"wall\":7}";

	@Test
	void resultLineOfAProgramThatEndedWellShouldBeMeasured() {
		ReportedState state = new ReportedState(new ObjectsState(1, 2), new ObjectsState(1, 2));
		assertThat(Forked.ended(0, List.of("warning", RESULT, state.line()), null))
			.isEqualTo(new Forked(Outcome.MEASURED, Map.of(Measure.WALL, 7.0), state, ""));
	}

	@Test
	void resultWithoutStateShouldBeUnchecked() {
		assertThat(Forked.ended(0, List.of(RESULT), null))
			.isEqualTo(new Forked(Outcome.UNCHECKED, Map.of(Measure.WALL, 7.0), null, ""));
	}

	@Test
	void jvmThatEndedForWantOfMemoryShouldSaySo() {
		List<String> output = List.of("Terminating due to java.lang.OutOfMemoryError: Java heap space");
		assertThat(Forked.ended(3, output, null).outcome()).isEqualTo(Outcome.OUT_OF_MEMORY);
	}

	@Test
	void otherEndShouldBeAFailureWithTheLastLines() {
		Forked failed = Forked.ended(1, List.of("1", "2", "3", "4", "5", "6", "7", "8", "9"), null);
		assertThat(failed.outcome()).isEqualTo(Outcome.FAILED);
		assertThat(failed.problem()).startsWith("exit code 1\n2\n").endsWith("\n9");
		assertThat(Forked.ended(3, List.of(RESULT), null).outcome()).isEqualTo(Outcome.FAILED);
		assertThat(Forked.ended(0, List.of("nothing"), null).outcome()).isEqualTo(Outcome.FAILED);
	}

	@Test
	@DisabledOnOs(value = OS.WINDOWS, disabledReason = "External commands are those of sh")
	void commandShouldBeRunToItsEnd(@TempDir Path directory) throws IOException, InterruptedException {
		List<String> command = new External("other", "echo 'RESULT {\"wall\":{pods}}'; echo {kubeconfig} >&2")
			.command(Path.of("kubeconfig.yaml"), Resource.PODS, 42);
		assertThat(Forked.run(command, null, Duration.ofMinutes(1), directory).values())
			.isEqualTo(Map.of(Measure.WALL, 42.0));
		assertThat(directory).isEmptyDirectory();
	}

	@Test
	@DisabledOnOs(value = OS.WINDOWS, disabledReason = "There is no sleep")
	void commandThatTakesTooLongShouldBeEnded(@TempDir Path directory) throws IOException, InterruptedException {
		Forked forked = Forked.run(List.of("sleep", "600"), null, Duration.ofMillis(100), directory);
		assertThat(forked.outcome()).isEqualTo(Outcome.TIME_LIMIT);
	}

}
