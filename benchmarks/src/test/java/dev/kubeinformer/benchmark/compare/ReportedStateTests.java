package dev.kubeinformer.benchmark.compare;

import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for {@link ReportedState}.
 */
class ReportedStateTests {

	private static final ObjectsState SERVER = new ObjectsState(2, -5);

	private static final ObjectsState OTHER = new ObjectsState(2, 5);

	@Test
	void whatIsWrittenShouldBeReadAmongOtherLines() {
		ReportedState state = new ReportedState(SERVER, OTHER);
		List<String> output = List.of(new ReportedState(OTHER, OTHER).line(), "RESULT {}", state.line(), "the end");
		assertThat(ReportedState.find(output)).contains(state);
		assertThat(ReportedState.find(List.of("STATES", "RESULT {}"))).isEmpty();
	}

	@Test
	void stateOfTheServerShouldBeNoProblem() {
		assertThat(new ReportedState(SERVER, SERVER).problem(SERVER)).isEmpty();
	}

	@Test
	void otherStateShouldSayWhereItIs() {
		assertThat(new ReportedState(OTHER, SERVER).problem(SERVER))
			.contains("the server has 2 objects (fffffffffffffffb), the cache 2 objects (0000000000000005)");
		assertThat(new ReportedState(SERVER, new ObjectsState(1, -5)).problem(SERVER)).contains(
				"the server has 2 objects (fffffffffffffffb), the handler was given 1 objects (fffffffffffffffb)");
	}

	@ParameterizedTest
	@ValueSource(strings = { "{", "{}", "{\"cached\":{\"objects\":1,\"digest\":\"0a\"}}",
			"{\"cached\":{\"objects\":1,\"digest\":\"x\"},\"handled\":{\"objects\":1,\"digest\":\"0a\"}}",
			"{\"cached\":{\"objects\":1,\"digest\":7},\"handled\":{\"objects\":1,\"digest\":\"0a\"}}" })
	void stateThatCannotBeReadShouldBeShown(String text) {
		assertThatIllegalArgumentException().isThrownBy(() -> ReportedState.find(List.of("STATE " + text)))
			.withMessageContaining("\"" + text + "\"");
	}

}
