package dev.kubeinformer.benchmark.compare;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link StateCheck}.
 */
class StateCheckTests {

	private static final ObjectsState ONE = new ObjectsState(1, 1);

	private static final ObjectsState TWO = new ObjectsState(2, 3);

	@Test
	void clientWithTheStateOfTheServerShouldBeMeasured() throws IOException {
		Forked measured = measured(ONE, ONE);
		assertThat(check(false, ONE).check(measured)).isEqualTo(measured);
	}

	@Test
	void clientWithAnotherStateShouldHaveFailedWithoutFigures() throws IOException {
		Forked failed = check(false, ONE, ONE).check(measured(ONE, TWO));
		assertThat(failed.outcome()).isEqualTo(Outcome.WRONG_STATE);
		assertThat(failed.values()).isEmpty();
		assertThat(failed.problem()).contains("the handler was given 2 objects");
		assertThat(check(false, ONE, ONE).check(measured(TWO, ONE)).outcome()).isEqualTo(Outcome.WRONG_STATE);
	}

	@Test
	void serverThatChangedMeanwhileShouldBeReadAgain() throws IOException {
		StateCheck check = check(false, ONE, TWO);
		assertThat(check.check(measured(ONE, ONE)).outcome()).isEqualTo(Outcome.MEASURED);
		assertThat(check.check(measured(TWO, TWO)).outcome()).isEqualTo(Outcome.MEASURED);
		assertThat(check.check(measured(TWO, TWO)).outcome()).as("is not read again").isEqualTo(Outcome.MEASURED);
	}

	@Test
	void serverThatEachRunChangesShouldBeReadAfterEach() throws IOException {
		StateCheck check = check(true, ONE, TWO);
		assertThat(check.check(measured(ONE, ONE)).outcome()).isEqualTo(Outcome.MEASURED);
		assertThat(check.check(measured(ONE, ONE)).outcome()).isEqualTo(Outcome.WRONG_STATE);
	}

	@Test
	void programWithoutStateShouldStayAsItIs() throws IOException {
		Forked failed = new Forked(Outcome.FAILED, Map.of(), null, "exit code 1");
		assertThat(check(false).check(failed)).isEqualTo(failed);
	}

	private static StateCheck check(boolean changing, ObjectsState... states) {
		Deque<ObjectsState> next = new ArrayDeque<>(List.of(states));
		return new StateCheck(next::remove, changing);
	}

	private static Forked measured(ObjectsState cached, ObjectsState handled) {
		return new Forked(Outcome.MEASURED, Map.of(Measure.WALL, 1.0), new ReportedState(cached, handled), "");
	}

}
