package dev.kubeinformer.internal.slots;

import java.util.List;
import java.util.Map;
import java.util.Set;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import dev.kubeinformer.types.ShardKey;
import dev.kubeinformer.types.Slots;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Slots of a store, and the versions from which their events count.
 */
@Tag("once")
class SlotTableTests {

	private final SlotTable table = new SlotTable(new Slots(ShardKey.UID, 8), List.of("", "blog"));

	@Test
	void slotShouldBeFullOncePartitionsHoldAListOfIt() {
		this.table.gain(Set.of(1, 2));
		HeldSlots asked = this.table.held();
		assertThat(this.table.isFull("")).isFalse();
		this.table.listed("", asked, "10");
		assertThat(this.table.isFull("")).isTrue();
		assertThat(this.table.full(List.of("", "blog"))).isEmpty();
		this.table.listed("blog", asked, "11");
		assertThat(this.table.full(List.of("", "blog"))).containsExactly(1, 2);
		this.table.restart();
		assertThat(this.table.full("").isEmpty()).isTrue();
		assertThat(this.table.held().slots()).containsExactly(1, 2);
	}

	@Test
	void listThatWasRequestedBeforeALossShouldNotCount() {
		this.table.gain(Set.of(1, 2));
		HeldSlots asked = this.table.held();
		this.table.release(Set.of(1));
		this.table.gain(Set.of(1));
		this.table.listed("", asked, "10");
		assertThat(this.table.full("").slots()).containsExactly(2);
		assertThat(this.table.isNews("", 1, "12")).isFalse();
	}

	@Test
	void gainOfAHeldSlotShouldChangeNothing() {
		this.table.gain(Set.of(1));
		HeldSlots before = this.table.held();
		this.table.gain(Set.of(1));
		assertThat(this.table.held()).isEqualTo(before);
	}

	@ParameterizedTest
	@CsvSource({
			// base of the slot, version of the event, news
			"50, 49, false", "50, 50, false", "50, 51, true", "99, 100, true", "100, 99, false",
			// Nothing is known about versions without an order.
			"x, y, true", "50, y, true", "50, '', true" })
	void eventShouldBeNewsAfterTheBaseOfItsSlot(String base, String version, boolean news) {
		this.table.gain(Set.of(1));
		assertThat(this.table.isNews("", 1, version)).isFalse();
		this.table.listed("", this.table.held(), base);
		assertThat(this.table.isNews("", 1, version)).isEqualTo(news);
		assertThat(this.table.isNews("", 2, version)).isFalse();
		assertThat(this.table.isNews("", -1, version)).isTrue();
		assertThat(this.table.isNews("gone", 1, version)).isFalse();
	}

	@ParameterizedTest
	@CsvSource({ "49, 45, false", "51, 45, true",
			// A deletion with the version of the object's last change
			// (kubernetes#58545).
			"45, 45, true", "50, 50, true", "44, 45, false", "45, , false" })
	void deletionShouldBeNewsUnlessTheListShowedIt(String version, String cached, boolean news) {
		this.table.gain(Set.of(1));
		assertThat(this.table.isDeletionNews("", 1, version, cached)).isFalse();
		this.table.listed("", this.table.held(), "50");
		assertThat(this.table.isDeletionNews("", 1, version, cached)).isEqualTo(news);
	}

	@Test
	void basesShouldFollowTheWatchAndNeverFall() {
		this.table.gain(Set.of(1));
		this.table.listed("", this.table.held(), "10");
		this.table.gain(Set.of(2));
		// The watch has shown 40 when the list of the gain, at 30, is stored.
		SlotList gain = new SlotList(this.table.held().minus(this.table.full("")), "40");
		assertThat(gain.version("30")).isEqualTo("30");
		assertThat(gain.version("50")).isEqualTo("40");
		gain.note(this.table, "", "30");
		assertThat(this.table.isNews("", 1, "40")).isFalse();
		assertThat(this.table.isNews("", 1, "41")).isTrue();
		assertThat(this.table.isNews("", 2, "31")).isTrue();
		// The next gain comes while the watch repeats 35.
		this.table.gain(Set.of(3));
		new SlotList(this.table.held().minus(this.table.full("")), "35").note(this.table, "", "60");
		assertThat(this.table.isNews("", 1, "40")).isFalse();
		assertThat(this.table.isNews("", 2, "35")).isFalse();
		assertThat(this.table.isNews("", 2, "36")).isTrue();
		assertThat(this.table.isNews("", 3, "60")).isFalse();
	}

	@Test
	void partOfAListShouldBeTheSlotsThatWereHeldAllTheTime() {
		SlotTable byNamespace = new SlotTable(new Slots(ShardKey.NAMESPACE, 8), List.of(""));
		int here = byNamespace.slotOf("blog", "");
		byNamespace.gain(Set.of(here));
		SlotList all = new SlotList(byNamespace.held());
		assertThat(all.part(byNamespace, "").contains("blog", "u")).isTrue();
		assertThat(all.part(byNamespace, "").isFresh("blog", "u")).isTrue();
		byNamespace.listed("", byNamespace.held(), "10");
		assertThat(all.part(byNamespace, "").isFresh("blog", "u")).isFalse();
		byNamespace.release(Set.of(here));
		assertThat(all.part(byNamespace, "").contains("blog", "u")).isFalse();
		assertThat(ListedPart.WHOLE.contains("blog", "u")).isTrue();
		assertThat(ListedPart.WHOLE.isFresh("blog", "u")).isFalse();
	}

	@Test
	void objectWithoutUidShouldBelongToListsOfAllSlotsOnly() {
		this.table.gain(Set.of(1));
		assertThat(this.table.slotOf("blog", "")).isNegative();
		assertThat(new SlotList(this.table.held()).part(this.table, "").contains("blog", "")).isTrue();
		assertThat(new SlotList(this.table.held(), "5").part(this.table, "").contains("blog", "")).isFalse();
	}

	@Test
	void setsOfSlotsShouldCompareGains() {
		HeldSlots one = new HeldSlots(Map.of(1, 1L, 2, 2L));
		HeldSlots other = new HeldSlots(Map.of(1, 1L, 2, 3L));
		assertThat(one.minus(other).slots()).containsExactly(2);
		assertThat(one.within(other).slots()).containsExactly(1);
		assertThat(one.without(Set.of(1)).slots()).containsExactly(2);
		assertThat(one.with(Set.of(2, 5), 9)).isEqualTo(new HeldSlots(Map.of(1, 1L, 2, 2L, 5, 9L)));
		assertThat(one.and(other).gains()).containsEntry(2, 3L);
		assertThat(one).hasToString("[1, 2]");
	}

}
