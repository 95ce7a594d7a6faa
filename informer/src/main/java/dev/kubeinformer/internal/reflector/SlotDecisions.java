package dev.kubeinformer.internal.reflector;

import dev.kubeinformer.internal.reflector.Decision.Step;
import dev.kubeinformer.internal.slots.HeldSlots;
import dev.kubeinformer.internal.text.ResourceVersions;
import dev.kubeinformer.types.InformerState;
import dev.kubeinformer.types.ListReason;

/**
 * Rules for a cache whose shard slots move between processes. A slot is a part of the
 * objects of a resource. The rules decide which slots are listed separately, when the
 * watch is opened again, and from which version. Pure functions, without I/O, clock or
 * randomness.
 * <p>
 * One watch covers all slots of which the cache holds a full state. Gained slots are
 * listed separately, from the most recent state, because the member that held them before
 * may have written just now. Then the watch is reopened with the wider selector. It
 * starts from the older of two versions: the last version of the watch and the version of
 * the list. So it repeats some changes. The store ignores them, because it knows at which
 * version each slot was listed.
 */
final class SlotDecisions {

	private SlotDecisions() {
	}

	/**
	 * Decides what a reflector does before its next request.
	 * @param settled whether it is known which shard slots this process holds
	 * @param held the slots that this process holds
	 * @param full the slots of which the cache holds a full state
	 * @param asked the slots that the last list of all held slots covered
	 * @param step the next request unless slots were gained or lost
	 * @return the choice
	 */
	static Turn turn(boolean settled, HeldSlots held, HeldSlots full, HeldSlots asked, Step step) {
		if (!settled) {
			return Turn.WAIT;
		}
		if (held.isEmpty()) {
			return Turn.NOTHING;
		}
		return switch (step) {
			case START -> (full.gains().size() < held.gains().size()) ? Turn.LIST_CURRENT : Turn.CONTINUE;
			// The step continues a list of the slots that were requested at its
			// beginning.
			case LIST, STREAM -> asked.within(held).isEmpty() ? Turn.LIST_CURRENT : Turn.CONTINUE;
			case PROBE, WATCH -> full.isEmpty() ? Turn.LIST_CURRENT : Turn.CONTINUE;
		};
	}

	/**
	 * Returns the slots that are listed separately, while the other slots are watched. As
	 * long as the cache holds no slot, the reflector lists all of them itself.
	 * @param held the slots that this process holds
	 * @param full the slots of which the cache holds a full state
	 * @param waiting the slots whose lists wait to be stored
	 * @return the held slots that are neither full nor waiting; none if {@code full} is
	 * empty
	 */
	static HeldSlots toList(HeldSlots held, HeldSlots full, HeldSlots waiting) {
		return full.isEmpty() ? HeldSlots.none() : held.minus(full).minus(waiting);
	}

	/**
	 * Decides whether to end an open watch and to open it again with another selector.
	 * @param watched the slots that the watch covers
	 * @param full the slots of which the cache holds a full state
	 * @param waiting the slots whose lists wait to be stored
	 * @return {@code true} if slots were gained, or if half of the slots or more were
	 * lost. The events of fewer lost slots are ignored until the watch ends by itself
	 */
	static boolean endsWatch(HeldSlots watched, HeldSlots full, HeldSlots waiting) {
		int left = watched.within(full).gains().size();
		return !waiting.isEmpty() || left == 0 || (left < watched.gains().size() && 2 * left <= watched.gains().size());
	}

	/**
	 * Decides whether a list of gained slots is stored.
	 * @param state the state
	 * @param version the version of the list
	 * @param newestBefore the newest version that was seen before the list was requested
	 * @return the decision: to watch from the older of the two versions, or to list all
	 * slots, because the versions cannot be compared or the server has returned to an
	 * older state
	 */
	static Decision gained(ReflectorState state, String version, String newestBefore) {
		String listed = ResourceVersions.known(version);
		String last = state.versions().last();
		String newest = state.versions().newest();
		if (ResourceVersions.isOlder(listed, newestBefore) || ResourceVersions.isOlder(newest, newestBefore)) {
			return Decision.relist(state.needingFresh(), ListReason.RESTORED).showing(InformerState.STALE);
		}
		if (!isOrdered(listed) || !isOrdered(last)) {
			return Decision.relist(state.needingCurrent(), ListReason.SLOTS);
		}
		return Decision.watch(state.with(new ReflectorState.Versions(ResourceVersions.oldest(last, listed),
				ResourceVersions.newest(newest, listed), true, state.versions().comparedAt())));
	}

	private static boolean isOrdered(String version) {
		return !version.isEmpty() && ResourceVersions.isOrdered(version);
	}

	/**
	 * Returns the state in which the reflector lists all held slots, from the most recent
	 * state.
	 * @param state the state
	 * @param step the next request unless slots were gained or lost
	 * @return the state
	 */
	static ReflectorState current(ReflectorState state, Step step) {
		boolean relist = step != Step.START && state.versions().listed();
		return (relist ? state.listingBecause(ListReason.SLOTS) : state).needingCurrent();
	}

	/** Choices of a reflector before its next request. */
	enum Turn {

		/** Waits until it is known which slots this process holds. */
		WAIT,

		/**
		 * Waits until this process gains a slot. Until then the cache is complete and
		 * empty.
		 */
		NOTHING,

		/** Lists all held slots, from the most recent state. */
		LIST_CURRENT,

		/** Makes the request. */
		CONTINUE

	}

}
