package dev.kubeinformer.internal.membership;

import dev.kubeinformer.internal.elector.LeaseTerm;
import dev.kubeinformer.internal.shards.SlotSet;

/**
 * Records that this process has gained slots in a term. Compared by identity, because the
 * same slots may be gained again in the same term.
 */
final class SlotGrant {

	private final SlotSet slots;

	private final LeaseTerm term;

	SlotGrant(SlotSet slots, LeaseTerm term) {
		this.slots = slots;
		this.term = term;
	}

	SlotSet slots() {
		return this.slots;
	}

	boolean isValid() {
		return this.term.isValid();
	}

}
