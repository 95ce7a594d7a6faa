package dev.kubeinformer.internal.shards;

import java.time.Duration;

/**
 * Notice of an event in a membership.
 */
public sealed interface ShardNotice {

	/**
	 * A term began. It has no slots yet.
	 *
	 * @param term the term
	 */
	record Began(MemberTerm term) implements ShardNotice {

	}

	/**
	 * The term was renewed.
	 *
	 * @param term the term
	 * @param slack the remaining validity before the renewal
	 */
	record Renewed(MemberTerm term, Duration slack) implements ShardNotice {

	}

	/**
	 * A request failed that was needed to begin or renew a term.
	 */
	record RenewalFailed() implements ShardNotice {

	}

	/**
	 * Slots belong to this member from now on, while the term is valid.
	 *
	 * @param slots the slots
	 * @param term the term
	 */
	record Gained(SlotSet slots, MemberTerm term) implements ShardNotice {

	}

	/**
	 * The work of slots must end. The slots still belong to this member, and renewals
	 * continue.
	 *
	 * @param slots the slots
	 * @param reason the reason
	 */
	record Draining(SlotSet slots, DrainReason reason) implements ShardNotice {

	}

	/**
	 * Slots do not belong to this member any more.
	 *
	 * @param slots the slots
	 * @param reason the reason
	 */
	record Lost(SlotSet slots, LossReason reason) implements ShardNotice {

	}

	/**
	 * The term is over. The loss of its slots was reported before.
	 *
	 * @param term the term
	 * @param reason the reason
	 */
	record Ended(MemberTerm term, LossReason reason) implements ShardNotice {

	}

	/**
	 * The members or their slots have changed.
	 *
	 * @param view the members
	 */
	record MembersChanged(ShardView view) implements ShardNotice {

	}

	/**
	 * This member takes no slots, because another member has divided the group into
	 * another number of slots.
	 *
	 * @param name the name of the other member
	 * @param slots the number of slots of the other member; 0 if its Lease has an unknown
	 * form
	 */
	record Refused(String name, int slots) implements ShardNotice {

	}

}
