package dev.kubeinformer.internal.shards;

import java.util.List;
import java.util.Optional;

/**
 * Members of a group as one member sees them. The view may be late.
 *
 * @param members the members by name, including this one
 */
public record ShardView(List<MemberView> members) {

	/**
	 * Creates a view.
	 */
	public ShardView {
		members = List.copyOf(members);
	}

	/**
	 * Returns the living member that holds a slot.
	 * @param slot the slot
	 * @return the member; empty if none is known
	 */
	public Optional<MemberView> holderOf(int slot) {
		return this.members.stream()
			.filter(MemberView::alive)
			.filter((member) -> member.held().contains(slot))
			.findFirst();
	}

	/**
	 * Member of a group.
	 *
	 * @param name the name of its Lease
	 * @param identity its identity, as shown to people
	 * @param slots its number of slots of the group
	 * @param held the slots that it holds
	 * @param claimed the slots that it claims
	 * @param leaving whether it is leaving
	 * @param alive whether it has renewed its Lease in time
	 * @param self whether it is this member
	 */
	public record MemberView(String name, String identity, int slots, SlotSet held, SlotSet claimed, boolean leaving,
			boolean alive, boolean self) {

	}

}
