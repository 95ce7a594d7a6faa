package dev.kubeinformer.internal.shards;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * Content of a member's Lease.
 *
 * @param identity the identity of the member, as shown to people
 * @param durationSeconds the seconds for which others wait for a renewal
 * @param renewTime the time of the last renewal, by the clock of the member, which is
 * never compared; {@code null} from the creation of the Lease to the first update
 * @param slots the number of slots of the group; 0 if the Lease has an unknown form. If
 * the member divides objects by another key, the number is one that no member with the
 * same key has
 * @param held the slots that the member holds
 * @param claimed the slots that the member claims, or has gained since it wrote the claim
 * @param leaving whether the member is leaving the group
 */
public record MemberRecord(String identity, int durationSeconds, @Nullable Instant renewTime, int slots, SlotSet held,
		SlotSet claimed, boolean leaving) {

	/**
	 * Returns the slots that the member holds or claims.
	 * @return the slots
	 */
	public SlotSet taken() {
		return this.held.union(this.claimed);
	}

	/**
	 * Returns whether the member is leaving, and neither holds nor claims a slot.
	 * @return {@code true} if the member has left
	 */
	boolean isGone() {
		return this.leaving && this.slots != 0 && taken().isEmpty();
	}

	/**
	 * Returns whether another record means the same for other members.
	 * @param other the other record
	 * @return {@code true} if it differs at most in the time of the renewal
	 */
	boolean isAs(MemberRecord other) {
		return this.slots == other.slots && this.leaving == other.leaving && this.held.equals(other.held)
				&& this.claimed.equals(other.claimed) && this.identity.equals(other.identity);
	}

}
