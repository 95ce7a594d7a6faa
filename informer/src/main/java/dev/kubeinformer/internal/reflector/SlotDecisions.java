package dev.kubeinformer.internal.reflector;

import dev.kubeinformer.internal.reflector.Decision.Step;
import dev.kubeinformer.internal.slots.HeldSlots;
import dev.kubeinformer.internal.text.ResourceVersions;
import dev.kubeinformer.types.InformerState;
import dev.kubeinformer.types.ListReason;

/**
 * Rules for a cache whose slots move between processes: decide which slots are listed
 * separately, and when and from which version the watch is opened again. A slot is a part
 * of the objects of a resource. Pure functions, without I/O, clock or randomness.
 * <p>
 * There is one watch, over all slots of which the cache holds a full state. Gained slots
 * are listed separately, from the most recent state, because the member that held them
 * before may have written just now. Then the watch is reopened with the wider selector.
 * It starts from the older of two versions: the last one of the watch, and that of the
 * list. This watch repeats some changes. The store ignores these, because it knows the
 * version of the list of each slot.
 */
final class SlotDecisions {

	private SlotDecisions() {
	}

	/**
	 * Decides what a reflector does before its next request.
	 * @param settled whether the first distribution of slots is known
	 * @param held the slots of this process
	 * @param full the slots of which the cache holds a full state
	 * @param asked the slots of the last list of all slots
	 * @param step the next request if slots did not move
	 * @return what to do
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
			// The list that this step continues is about the slots that it asked for.
			case LIST, STREAM -> asked.within(held).isEmpty() ? Turn.LIST_CURRENT : Turn.CONTINUE;
			case PROBE, WATCH -> full.isEmpty() ? Turn.LIST_CURRENT : Turn.CONTINUE;
		};
	}

	/**
	 * Returns the slots that are listed separately, while the other slots are watched. As
	 * long as the cache holds no slot, the reflector lists all of them itself.
	 * @param held the slots of this process
	 * @param full the slots of which the cache holds a full state
	 * @param waiting the slots whose lists wait to be stored
	 * @return the slots; all that were gained since the last list, or none
	 */
	static HeldSlots toList(HeldSlots held, HeldSlots full, HeldSlots waiting) {
		return full.isEmpty() ? HeldSlots.none() : held.minus(full).minus(waiting);
	}

	/**
	 * Decides whether an open watch is ended, to be opened with another selector.
	 * @param watched the slots of the watch
	 * @param full the slots of which the cache holds a full state
	 * @param waiting the slots whose lists wait to be stored
	 * @return {@code true} if slots were gained, or at most half of the slots is left;
	 * the events of a few lost slots are ignored until the watch ends by itself
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
	 * @return the decision: to watch from the older version, or to list all slots because
	 * the versions cannot be compared, or the server went back
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
	 * Returns the state in which all held slots are listed from the most recent state.
	 * @param state the state
	 * @param step the next request if slots did not move
	 * @return the state
	 */
	static ReflectorState current(ReflectorState state, Step step) {
		boolean relist = step != Step.START && state.versions().listed();
		return (relist ? state.listingBecause(ListReason.SLOTS) : state).needingCurrent();
	}

	/** Choices of a reflector before its next request. */
	enum Turn {

		/** Waits for the first distribution of slots. */
		WAIT,

		/** Waits for a slot, with a cache that is complete and empty. */
		NOTHING,

		/** Lists all held slots, from the most recent state. */
		LIST_CURRENT,

		/** Makes the request. */
		CONTINUE

	}

}
