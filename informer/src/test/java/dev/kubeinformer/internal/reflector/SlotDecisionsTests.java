package dev.kubeinformer.internal.reflector;

import java.util.HashMap;
import java.util.Map;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import dev.kubeinformer.internal.reflector.Decision.Step;
import dev.kubeinformer.internal.reflector.SlotDecisions.Turn;
import dev.kubeinformer.internal.slots.HeldSlots;
import dev.kubeinformer.types.InformerState;
import dev.kubeinformer.types.ListReason;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Rules for slots that move. Slots are written as {@code slot:gain}, and {@code -} is
 * none.
 */
@Tag("once")
class SlotDecisionsTests {

	@ParameterizedTest
	@CsvSource({
			// Not settled, whatever else: wait.
			"false, -, -, -, START, WAIT", "false, 1:1, -, -, START, WAIT", "false, 1:1, 1:1, 1:1, WATCH, WAIT",
			// No slot: nothing to ask for.
			"true, -, -, -, START, NOTHING", "true, -, -, 1:1, WATCH, NOTHING", "true, -, -, 1:1, LIST, NOTHING",
			// The first list, and a list of all with gains among them.
			"true, 1:1, -, -, START, LIST_CURRENT", "true, 1:1 2:2, 1:1, 1:1, START, LIST_CURRENT",
			// A relist of slots that the cache holds needs no more than their version.
			"true, 1:1 2:2, 1:1 2:2, 1:1, START, CONTINUE",
			// A list goes on as long as one of its slots is held.
			"true, 1:1 2:2, -, 1:1, LIST, CONTINUE", "true, 1:3, -, 1:1, LIST, LIST_CURRENT",
			"true, 2:2, -, 1:1, STREAM, LIST_CURRENT",
			// Gains are listed separately, unless there is nothing to watch.
			"true, 1:1 2:2, 1:1, 1:1, WATCH, CONTINUE", "true, 2:2, -, 1:1, WATCH, LIST_CURRENT",
			"true, 2:2, -, 1:1, PROBE, LIST_CURRENT" })
	void turn(boolean settled, String held, String full, String asked, Step step, Turn expected) {
		assertThat(SlotDecisions.turn(settled, slots(held), slots(full), slots(asked), step)).isEqualTo(expected);
	}

	@ParameterizedTest
	@CsvSource({ "1:1 2:2, 1:1, -, 2:2", "1:1 2:2 3:3, 1:1, 2:2, 3:3", "1:1 2:2, 1:1, 2:2, -",
			// A slot that was lost and gained again is another one.
			"1:1 2:4, 1:1, 2:2, 2:4",
			// Without a watch, the reflector lists all itself.
			"1:1 2:2, -, -, -", "-, -, -, -" })
	void toList(String held, String full, String waiting, String expected) {
		assertThat(SlotDecisions.toList(slots(held), slots(full), slots(waiting))).isEqualTo(slots(expected));
	}

	@ParameterizedTest
	@CsvSource({ "1:1 2:1 3:1 4:1, 1:1 2:1 3:1 4:1, -, false", "1:1 2:1 3:1 4:1, 1:1 2:1 3:1, -, false",
			"1:1 2:1 3:1 4:1, 1:1 2:1, -, true", "1:1, -, -, true", "1:1 2:1, 1:1 2:1, 3:2, true",
			// A slot that is listed anew is not that of the watch.
			"1:1, 1:2, -, true" })
	void endsWatch(String watched, String full, String waiting, boolean expected) {
		assertThat(SlotDecisions.endsWatch(slots(watched), slots(full), slots(waiting))).isEqualTo(expected);
	}

	@ParameterizedTest
	@CsvSource({
			// last, newest, list, newest before the list, watch from, newest
			"41, 41, 50, 41, 41, 50", "60, 60, 50, 45, 50, 60", "50, 50, 50, 50, 50, 50", "99, 99, 100, 99, 99, 100" })
	void gainShouldBeWatchedFromTheOlderVersion(String last, String newest, String list, String before, String from,
			String newestAfter) {
		Decision decision = SlotDecisions.gained(state(last, newest), list, before);
		assertThat(decision.step()).isEqualTo(Step.WATCH);
		assertThat(decision.isAtOnce()).isTrue();
		assertThat(decision.condition()).isNull();
		assertThat(decision.state().versions().last()).isEqualTo(from);
		assertThat(decision.state().versions().newest()).isEqualTo(newestAfter);
		assertThat(decision.state().versions().listed()).isTrue();
	}

	@ParameterizedTest
	@CsvSource({ "141, 141, 50, 141", "51, 51, 52, 141" })
	void serverThatWentBackShouldBeListedAsAWhole(String last, String newest, String list, String before) {
		Decision decision = SlotDecisions.gained(state(last, newest), list, before);
		assertThat(decision.step()).isEqualTo(Step.START);
		assertThat(decision.condition()).isEqualTo(InformerState.STALE);
		assertThat(decision.state().nextList().reason()).isEqualTo(ListReason.RESTORED);
		assertThat(decision.state().nextList().fresh()).isTrue();
	}

	@ParameterizedTest
	@CsvSource({ "41, x50", "x41, 50", "x41, x41", "41, ''", "'', 50", "41, 0" })
	void versionsWithoutAnOrderShouldListAllSlots(String last, String list) {
		Decision decision = SlotDecisions.gained(state(last, last), list, "");
		assertThat(decision.step()).isEqualTo(Step.START);
		assertThat(decision.state().nextList().reason()).isEqualTo(ListReason.SLOTS);
		assertThat(decision.state().nextList().current()).isTrue();
	}

	@Test
	void listOfGainsShouldAskForTheMostRecentState() {
		ReflectorState first = SlotDecisions.current(ReflectorState.initial(""), Step.START);
		assertThat(first.nextList().reason()).isEqualTo(ListReason.INITIAL);
		assertThat(first.nextList().current()).isTrue();
		ReflectorState again = SlotDecisions.current(state("41", "41"), Step.WATCH);
		assertThat(again.nextList().reason()).isEqualTo(ListReason.SLOTS);
		assertThat(again.nextList().current()).isTrue();
		ReflectorState expired = SlotDecisions.current(state("41", "41").listingBecause(ListReason.EXPIRED),
				Step.START);
		assertThat(expired.nextList().reason()).isEqualTo(ListReason.EXPIRED);
	}

	private static ReflectorState state(String last, String newest) {
		return ReflectorState.initial("").stored(last, newest, 7);
	}

	private static HeldSlots slots(String text) {
		Map<Integer, Long> gains = new HashMap<>();
		for (String each : text.equals("-") ? new String[0] : text.split(" ")) {
			gains.put(Integer.valueOf(each.split(":")[0]), Long.valueOf(each.split(":")[1]));
		}
		return new HeldSlots(gains);
	}

}
