package dev.kubeinformer.benchmark.compare;

import java.util.List;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for {@link Spread}.
 */
class SpreadTests {

	@Test
	void medianOfAnOddNumberShouldBeTheMiddleOne() {
		assertThat(Spread.of(List.of(9.0, 1.0, 5.0))).isEqualTo(new Spread(5, 1, 9));
	}

	@Test
	void medianOfAnEvenNumberShouldBeTheMeanOfTheMiddleTwo() {
		assertThat(Spread.of(List.of(4.0, 1.0, 8.0, 2.0))).isEqualTo(new Spread(3, 1, 8));
	}

	@Test
	void noFiguresShouldBeRefused() {
		assertThatIllegalArgumentException().isThrownBy(() -> Spread.of(List.of()));
	}

	@Test
	void textShouldTellTheExtremesOnlyWhereTheyReadDifferently() {
		assertThat(new Spread(12345.6, 1000.2, 20000).text(0)).isEqualTo("12 346 (1 000–20 000)");
		assertThat(new Spread(2.001, 2, 2.002).text(1)).isEqualTo("2.0");
	}

}
