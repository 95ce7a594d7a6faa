package dev.kubeinformer.internal.shards;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import dev.kubeinformer.internal.shards.SlotPlan.Share;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Plans for changing members.
 */
@Tag("once")
class SlotPlanTests {

	private static final int SLOTS = 64;

	private final Map<String, SlotSet> held = new TreeMap<>();

	@Test
	void groupWithoutMembersShouldHaveNoPlan() {
		assertThat(SlotPlan.of(SLOTS, List.of()).of("a").isEmpty()).isTrue();
	}

	@Test
	void singleMemberShouldHaveAllSlots() {
		change("a");
		assertThat(this.held.get("a")).isEqualTo(SlotSet.range(0, SLOTS));
	}

	/**
	 * Numbers of members one after the other, and the moves of each change: what the
	 * members that left had, and what the others have more than their quota.
	 */
	@ParameterizedTest
	@CsvSource({ "1 5 3 5, 64 51 25 25", "1 2 3 4 8, 64 32 21 16 32", "3 20 3, 64 52 52", "20 19 20, 64 3 3",
			"64 65 64, 64 0 0", "100 50 100, 64 17 14", "5 5 5, 64 0 0" })
	void changeShouldMoveAsFewSlotsAsPossible(String numbers, String moves) {
		List<Integer> moved = new ArrayList<>();
		for (String number : numbers.split(" ")) {
			moved.add(change(names(Integer.parseInt(number))));
		}
		assertThat(moved).hasToString("[" + moves.replace(" ", ", ") + "]");
	}

	@Test
	void randomChangesShouldMoveAsFewSlotsAsPossibleAndStayEven() {
		Random random = new Random(1);
		int next = 0;
		List<String> members = new ArrayList<>();
		for (int i = 0; i < 500; i++) {
			Collections.shuffle(members, random);
			members.subList(0, random.nextInt(members.size() + 1) / 2).clear();
			for (int added = random.nextInt(4) + (members.isEmpty() ? 1 : 0); added > 0; added--) {
				members.add("m" + next++);
			}
			int least = least(members);
			assertThat(change(members.toArray(String[]::new))).isEqualTo(least);
		}
	}

	@Test
	void planShouldNotDependOnTheOrderOfMembers() {
		List<Share> shares = new ArrayList<>();
		for (String name : names(7)) {
			shares.add(new Share(name, SlotSet.of(Math.floorMod(name.hashCode(), SLOTS)), SlotSet.none()));
		}
		SlotPlan plan = SlotPlan.of(SLOTS, shares);
		Collections.reverse(shares);
		SlotPlan same = SlotPlan.of(SLOTS, shares);
		assertThat(names(7)).allSatisfy((name) -> assertThat(same.of(name)).isEqualTo(plan.of(name)));
	}

	/**
	 * Members see moves at different times. As long as the view shows only planned moves,
	 * in any order, the plan is the same.
	 */
	@Test
	void planShouldNotChangeWhileItIsCarriedOut() {
		Random random = new Random(2);
		for (int round = 0; round < 100; round++) {
			this.held.clear();
			change(names(1 + random.nextInt(6)));
			List<String> after = new ArrayList<>(List.of(names(3 + random.nextInt(9))));
			after.removeIf((name) -> after.size() > 3 && random.nextInt(4) == 0);
			Map<String, SlotSet> seen = new TreeMap<>(this.held);
			seen.keySet().retainAll(after);
			after.forEach((name) -> seen.putIfAbsent(name, SlotSet.none()));
			SlotPlan plan = SlotPlan.of(SLOTS, shares(seen));
			List<Integer> order = new ArrayList<>(SlotSet.range(0, SLOTS).toList());
			Collections.shuffle(order, random);
			for (int slot : order) {
				SlotSet moved = SlotSet.of(slot);
				if (random.nextBoolean()) {
					// Released, and claimed later.
					seen.replaceAll((name, slots) -> plan.of(name).contains(slot) ? slots : slots.minus(moved));
					assertSame(plan, seen);
				}
				seen.replaceAll(
						(name, slots) -> plan.of(name).contains(slot) ? slots.union(moved) : slots.minus(moved));
				assertSame(plan, seen);
			}
		}
	}

	@Test
	void holderShouldBeBeforeMembersThatClaim() {
		SlotSet all = SlotSet.range(0, 4);
		SlotPlan plan = SlotPlan.of(8,
				List.of(new Share("a", SlotSet.none(), all), new Share("b", all, SlotSet.none())));
		assertThat(plan.of("b")).isEqualTo(all);
	}

	@Test
	void claimOfTheMemberWithTheHigherScoreShouldBeFirst() {
		for (int slot = 0; slot < 8; slot++) {
			SlotSet claimed = SlotSet.of(slot);
			SlotPlan plan = SlotPlan.of(8,
					List.of(new Share("a", SlotSet.none(), claimed), new Share("b", SlotSet.none(), claimed)));
			String first = SlotPlan.isBefore("a", "b", slot) ? "a" : "b";
			assertThat(plan.of(first).contains(slot)).isTrue();
		}
	}

	/**
	 * Scores are part of the protocol: replicas of different versions compute the same.
	 */
	@Test
	void scoresShouldStayAsTheyAre() {
		assertThat(SlotPlan.score("a", 0)).isEqualTo(198367012849983736L);
		assertThat(SlotPlan.score("app-7c9f", 63)).isEqualTo(-3703430572542839152L);
	}

	private static void assertSame(SlotPlan plan, Map<String, SlotSet> seen) {
		SlotPlan now = SlotPlan.of(SLOTS, shares(seen));
		assertThat(seen.keySet()).allSatisfy((name) -> assertThat(now.of(name)).isEqualTo(plan.of(name)));
	}

	private static String[] names(int number) {
		String[] names = new String[number];
		for (int i = 0; i < number; i++) {
			names[i] = "member-" + i;
		}
		return names;
	}

	private static List<Share> shares(Map<String, SlotSet> held) {
		List<Share> shares = new ArrayList<>();
		held.forEach((name, slots) -> shares.add(new Share(name, slots, SlotSet.none())));
		return shares;
	}

	private int least(List<String> members) {
		List<Integer> counts = new ArrayList<>();
		members.forEach((name) -> counts.add(this.held.getOrDefault(name, SlotSet.none()).size()));
		counts.sort(Comparator.reverseOrder());
		int kept = 0;
		for (int i = 0; i < counts.size(); i++) {
			kept += Math.min(counts.get(i), SLOTS / counts.size() + ((i < SLOTS % counts.size()) ? 1 : 0));
		}
		return SLOTS - kept;
	}

	/**
	 * Changes the members, and checks that all slots are distributed evenly.
	 * @param names the members
	 * @return the number of slots that have moved
	 */
	private int change(String... names) {
		this.held.keySet().retainAll(List.of(names));
		for (String name : names) {
			this.held.putIfAbsent(name, SlotSet.none());
		}
		SlotPlan plan = SlotPlan.of(SLOTS, shares(this.held));
		int moved = 0;
		SlotSet all = SlotSet.none();
		int sum = 0;
		for (String name : names) {
			SlotSet slots = plan.of(name);
			moved += slots.minus(this.held.get(name)).size();
			this.held.put(name, slots);
			all = all.union(slots);
			sum += slots.size();
			assertThat(slots.size()).isBetween(SLOTS / names.length, (SLOTS + names.length - 1) / names.length);
		}
		assertThat(all).isEqualTo(SlotSet.range(0, SLOTS));
		assertThat(sum).isEqualTo(SLOTS);
		return moved;
	}

}
