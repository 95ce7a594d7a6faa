package dev.kubeinformer.internal.shards;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Sets of slots and their text in a Lease.
 */
@Tag("once")
class SlotSetTests {

	@ParameterizedTest
	@ValueSource(strings = { "", "0", "0-12,20", "1,3,5-6", "4095" })
	void textShouldBeReadAsItWasWritten(String text) {
		assertThat(SlotSet.parse(text)).hasToString(text);
	}

	@ParameterizedTest
	@ValueSource(strings = { ",", "1,", "-1", "2-1", "a", "4096", "0-99999999999", "1--2", " 1", "1.5", "٣" })
	void invalidTextShouldBeRejectedWithIt(String text) {
		assertThatIllegalArgumentException().isThrownBy(() -> SlotSet.parse(text)).withMessageContaining(text);
	}

	@Test
	void overlappingRangesShouldBeOneRange() {
		assertThat(SlotSet.parse("3-5,1-4")).isEqualTo(SlotSet.range(1, 6)).hasToString("1-5");
	}

	@Test
	void operationsShouldLeaveTheSetAsItIs() {
		SlotSet set = SlotSet.range(0, 4);
		assertThat(set.minus(SlotSet.of(1))).hasToString("0,2-3");
		assertThat(set.union(SlotSet.of(9))).hasToString("0-3,9");
		assertThat(set.intersect(SlotSet.of(3, 4))).hasToString("3");
		assertThat(set).hasToString("0-3").hasSameHashCodeAs(SlotSet.of(3, 2, 1, 0));
		assertThat(set.containsAll(SlotSet.of(1, 2))).isTrue();
		assertThat(set.containsAll(SlotSet.of(1, 4))).isFalse();
	}

}
