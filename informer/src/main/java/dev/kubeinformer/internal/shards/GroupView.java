package dev.kubeinformer.internal.shards;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.internal.election.ClockReading;
import dev.kubeinformer.internal.text.ResourceVersions;

/**
 * View of the other members of a group, from lists and from a watch that may be late. Not
 * thread-safe.
 */
final class GroupView {

	/**
	 * Number of lease durations after which the Lease of a dead member is deleted.
	 */
	private static final int LONG_DEAD = 10;

	/**
	 * Maximum time for which members wait before they are part of the plan, as a number
	 * of settle times.
	 */
	private static final int LONGEST_SETTLE = 4;

	private static final long FRESH = TimeUnit.MILLISECONDS.toNanos(100);

	private final String self;

	private final int slots;

	private final ShardTimes times;

	private final ShardRules rules;

	private final Map<String, MemberObservation> others = new TreeMap<>();

	/** Deleted Leases whose members may not know that their Leases were deleted. */
	private final Map<String, Ghost> ghosts = new TreeMap<>();

	/** Placeholder for a Lease that was deleted before this member saw it. */
	private final MemberLease unseen;

	/**
	 * Versions of the deletions of Leases, by name. A list in flight may still show these
	 * Leases.
	 */
	private final Map<String, String> deletions = new HashMap<>();

	/**
	 * Versions of the Leases whose members were dead when the list in flight was sent, by
	 * name.
	 */
	private final Map<String, String> deadWhenSent = new HashMap<>();

	/** Times of the last attempts to delete Leases of dead members. */
	private final Map<String, Long> cleaned = new HashMap<>();

	/** Living members that the plan includes. */
	private final Set<String> settled = new HashSet<>();

	/**
	 * Members that the plan does not include yet, with the times at which they were first
	 * seen.
	 */
	private final Map<String, Long> joined = new HashMap<>();

	/** Members that were dead when {@link #advance} last ran. */
	private Set<String> dead = Set.of();

	private boolean listed;

	/** Version of the last list. */
	private String version = "";

	private long revision;

	private boolean dirty;

	private ClockReading now;

	/** Time at which the next member dies, or the plan includes the next member. */
	private long changeAt;

	GroupView(String self, int slots, ShardTimes times, ShardRules rules, ClockReading now) {
		this.self = self;
		this.slots = slots;
		this.unseen = new MemberLease("", "",
				new MemberRecord("", 0, null, slots, SlotSet.none(), SlotSet.none(), false));
		this.times = times;
		this.rules = rules;
		this.now = now;
		this.changeAt = now.nanos();
	}

	boolean isListed() {
		return this.listed;
	}

	/**
	 * Returns the number of changes that may affect the plan.
	 * @return the number
	 */
	long revision() {
		return this.revision;
	}

	/**
	 * Advances the view to the current time: counts how long each Lease has not changed,
	 * and finds members that died or that the plan includes from now on.
	 * @param active whether this member takes slots
	 * @param holder whether this member holds or claims slots
	 * @param reading the current clock reading
	 */
	void advance(boolean active, boolean holder, ClockReading reading) {
		boolean joins = active != (this.settled.contains(this.self) || this.joined.containsKey(this.self));
		boolean soon = reading.monotonicSince(this.now) < FRESH && reading.nanos() - this.changeAt < 0;
		if (soon && !this.dirty && !joins) {
			return;
		}
		this.dirty = false;
		this.now = reading;
		this.others.replaceAll((name, seen) -> seen.advanced(reading, this.rules));
		this.ghosts.replaceAll((name, ghost) -> ghost.advanced(reading, this.rules));
		this.ghosts.values().removeIf((ghost) -> isDead(ghost.seen));
		Set<String> died = new HashSet<>();
		Set<String> takers = new HashSet<>();
		for (MemberObservation seen : this.others.values()) {
			if (isDead(seen)) {
				died.add(seen.name());
			}
			else if (seen.record().slots() == this.slots && !seen.record().leaving()) {
				takers.add(seen.name());
			}
		}
		if (active) {
			takers.add(this.self);
		}
		if (!died.equals(this.dead)) {
			this.dead = died;
			this.revision++;
		}
		settle(takers, holder);
		this.changeAt = reading.nanos() + untilNext();
	}

	/**
	 * Adds to the plan the members that already hold or claim slots, and those that have
	 * waited long enough.
	 * @param takers the living members that take slots
	 * @param holder whether this member holds or claims slots
	 */
	private void settle(Set<String> takers, boolean holder) {
		int before = this.settled.size();
		boolean changed = this.settled.retainAll(takers);
		this.joined.keySet().retainAll(takers);
		for (String name : takers) {
			MemberObservation seen = this.others.get(name);
			boolean has = (seen != null) ? !seen.record().taken().isEmpty() : holder;
			if (has) {
				this.settled.add(name);
			}
			if (this.settled.contains(name)) {
				this.joined.remove(name);
			}
			else {
				this.joined.putIfAbsent(name, this.now.nanos());
			}
		}
		if (!this.joined.isEmpty() && untilSettled() <= 0) {
			this.settled.addAll(this.joined.keySet());
			this.joined.clear();
		}
		if (changed || this.settled.size() != before) {
			this.revision++;
		}
	}

	private long untilSettled() {
		long first = Long.MAX_VALUE;
		long last = 0;
		for (long at : this.joined.values()) {
			long since = this.now.nanos() - at;
			first = Math.min(first, since);
			last = Math.max(last, since);
		}
		long settle = this.times.settleTime().toNanos();
		return Math.min(settle - first, LONGEST_SETTLE * settle - last);
	}

	private long untilNext() {
		long next = this.joined.isEmpty() ? Long.MAX_VALUE : untilSettled();
		for (MemberObservation seen : this.others.values()) {
			long waited = seen.waited(this.now, this.rules);
			long left = seen.duration(this.times) - waited;
			if (left <= 0) {
				left = Math.max(LONG_DEAD * seen.duration(this.times) - waited, untilCleaned(seen));
			}
			next = (left > 0) ? Math.min(next, left) : next;
		}
		for (Ghost ghost : this.ghosts.values()) {
			next = Math.min(next, ghost.seen.duration(this.times) - ghost.seen.waited(this.now, this.rules));
		}
		return Math.min(next, TimeUnit.HOURS.toNanos(1));
	}

	private long untilCleaned(MemberObservation seen) {
		Long tried = this.cleaned.get(seen.name());
		return (tried != null) ? seen.duration(this.times) - (this.now.nanos() - tried) : Long.MIN_VALUE;
	}

	/**
	 * Returns the time until the view changes even if there is no event.
	 * @param reading the current clock reading
	 * @return the nanoseconds
	 */
	long untilChange(ClockReading reading) {
		return this.changeAt - reading.nanos();
	}

	private boolean isDead(MemberObservation seen) {
		return seen.isDead(this.now, this.times, this.rules);
	}

	/**
	 * Remembers the members that are dead before a list is sent.
	 */
	void beginList() {
		this.deadWhenSent.clear();
		for (MemberObservation seen : this.others.values()) {
			if (isDead(seen)) {
				this.deadWhenSent.put(seen.name(), seen.resourceVersion());
			}
		}
	}

	/**
	 * Replaces the view by a list.
	 * @param list the list
	 * @param steady whether the watch has had time to show each living member: at least a
	 * lease duration
	 * @param reading the current clock reading
	 */
	void listed(ShardAnswer.Listed list, boolean steady, ClockReading reading) {
		Set<String> found = new HashSet<>();
		boolean late = false;
		for (MemberLease lease : list.leases()) {
			String deletion = this.deletions.get(lease.name());
			boolean gone = deletion != null && ResourceVersions.isOlder(list.resourceVersion(), deletion);
			if (!lease.name().equals(this.self) && !gone) {
				found.add(lease.name());
				late |= isLate(lease);
				see(lease, reading);
			}
		}
		if (late && steady) {
			// Another Lease may have been created and deleted unseen.
			remember(new Ghost(new MemberObservation(this.unseen, 0, reading), true));
		}
		for (MemberObservation seen : List.copyOf(this.others.values())) {
			boolean later = ResourceVersions.isOlder(list.resourceVersion(), seen.resourceVersion());
			if (!found.contains(seen.name()) && !later) {
				remove(seen.name());
				if (!seen.record().isGone()) {
					remember(new Ghost(new MemberObservation(seen.lease(), 0, reading), true));
				}
			}
		}
		this.deletions.clear();
		this.listed = true;
		this.version = list.resourceVersion();
		this.dirty = true;
	}

	private boolean isLate(MemberLease lease) {
		String dead = this.deadWhenSent.get(lease.name());
		return dead != null && ResourceVersions.isOlder(dead, lease.resourceVersion());
	}

	void changed(MemberLease lease, ClockReading reading) {
		if (isNews(lease)) {
			see(lease, reading);
		}
	}

	private boolean isNews(MemberLease lease) {
		return !lease.resourceVersion().equals(this.version)
				&& !ResourceVersions.isOlder(lease.resourceVersion(), this.version);
	}

	private void see(MemberLease lease, ClockReading reading) {
		MemberObservation before = this.others.get(lease.name());
		if (before == null) {
			this.revision++;
		}
		else if (before.resourceVersion().equals(lease.resourceVersion())
				|| ResourceVersions.isOlder(lease.resourceVersion(), before.resourceVersion())) {
			return;
		}
		else {
			if (lease.record().renewTime() == null && !before.record().isGone()) {
				// The Lease was created again, so it was deleted in between.
				remember(new Ghost(new MemberObservation(before.lease(), 0, reading), true));
			}
			if (!before.record().isAs(lease.record())) {
				this.revision++;
			}
		}
		// A renewal changes only the time at which the member counts as dead.
		this.dirty |= before == null || !before.record().isAs(lease.record()) || this.dead.contains(lease.name());
		this.others.put(lease.name(), new MemberObservation(lease, 0, reading));
	}

	void deleted(MemberLease lease, ClockReading reading) {
		Ghost ghost = this.ghosts.get(lease.name());
		if (ghost != null && ghost.missing) {
			// The event shows the last state of a Lease that was missing in a list.
			this.ghosts.remove(lease.name());
			rememberTaken(new MemberObservation(lease, ghost.seen.waited(), ghost.seen.at()));
		}
		MemberObservation seen = this.others.get(lease.name());
		if (seen != null && isNews(lease)) {
			this.deletions.put(lease.name(), lease.resourceVersion());
			remove(lease.name());
			boolean last = seen.record().isAs(lease.record());
			rememberTaken(new MemberObservation(lease, last ? seen.waited() : 0, last ? seen.at() : reading));
		}
		this.dirty = true;
	}

	private void rememberTaken(MemberObservation seen) {
		if (seen.record().slots() == 0 || !seen.record().taken().isEmpty()) {
			remember(new Ghost(seen, seen.record().slots() == 0));
		}
	}

	private void remember(Ghost ghost) {
		if (this.rules.remembersDeleted()) {
			Ghost before = this.ghosts.get(ghost.seen.name());
			boolean missing = ghost.missing || (before != null && before.missing);
			this.ghosts.put(ghost.seen.name(), new Ghost(ghost.seen, missing));
			this.dirty = true;
		}
	}

	/**
	 * Forgets a dead member whose Lease this member has deleted.
	 * @param name the name of the member
	 * @param resourceVersion the deleted version
	 */
	void forget(String name, String resourceVersion) {
		MemberObservation seen = this.others.get(name);
		if (seen != null && seen.resourceVersion().equals(resourceVersion)) {
			remove(name);
		}
	}

	private void remove(String name) {
		this.others.remove(name);
		this.cleaned.remove(name);
		this.revision++;
		this.dirty = true;
	}

	/**
	 * Returns a living member that keeps this one from taking slots, because it uses
	 * another number of slots.
	 * @return the Lease of the other member; {@code null} if there is none
	 */
	@Nullable MemberLease refusal() {
		for (MemberObservation seen : this.others.values()) {
			MemberRecord record = seen.record();
			boolean before = isForeignHolder(record) || record.slots() < this.slots;
			if (record.slots() != this.slots && before && !isDead(seen)) {
				return seen.lease();
			}
		}
		return null;
	}

	private boolean isForeignHolder(MemberRecord record) {
		return record.slots() != this.slots && (record.slots() == 0 || !record.taken().isEmpty());
	}

	/**
	 * Returns the members that the plan includes.
	 * @param held the slots of this member
	 * @param claims the slots that this member claims
	 * @return the members with their slots
	 */
	Collection<SlotPlan.Share> shares(SlotSet held, SlotSet claims) {
		List<SlotPlan.Share> shares = new ArrayList<>();
		for (String name : this.settled) {
			MemberObservation seen = this.others.get(name);
			if (seen != null) {
				// If the Lease of another member contains slots of this member, the Lease
				// is outdated: it was written before the other member's term was over.
				shares.add(new SlotPlan.Share(name, seen.record().held().minus(held),
						seen.record().claimed().minus(held)));
			}
			else {
				shares.add(new SlotPlan.Share(name, held, claims));
			}
		}
		return shares;
	}

	/**
	 * Returns the slots that this member may claim, or continue to claim.
	 * @param wanted the slots that the plan gives to this member
	 * @param claims the slots that this member claims already
	 * @return the slots
	 */
	SlotSet claimable(SlotSet wanted, SlotSet claims) {
		if (wanted.isEmpty()) {
			return wanted;
		}
		Blockers blockers = blockers((seen) -> !isDead(seen));
		return select(wanted,
				(slot) -> claims.contains(slot) ? !blockers.rejects(slot, this.self) : blockers.isFree(slot));
	}

	/**
	 * Returns whether a slot of a set seems to be free.
	 * @param claims the slots
	 * @return {@code true} if at least one of them seems to be free
	 */
	boolean isAnyFree(SlotSet claims) {
		return !claims.isEmpty() && !select(claims, blockers((seen) -> !isDead(seen))::isFree).isEmpty();
	}

	/**
	 * Returns the slots that are free in the list that was just read.
	 * @param claims the slots
	 * @return the free slots
	 */
	SlotSet unblocked(SlotSet claims) {
		return claims.isEmpty() ? claims : select(claims, blockers(this::isAliveInList)::isFree);
	}

	private boolean isAliveInList(MemberObservation seen) {
		boolean deadBefore = seen.resourceVersion().equals(this.deadWhenSent.get(seen.name()));
		return !this.rules.isDeadInList(deadBefore, isDead(seen));
	}

	private static SlotSet select(SlotSet slots, Predicate<Integer> condition) {
		return SlotSet.of(slots.stream().boxed().filter(condition).toList());
	}

	private Blockers blockers(Predicate<MemberObservation> alive) {
		SlotSet held = SlotSet.none();
		boolean all = false;
		boolean foreign = false;
		List<MemberObservation> claimants = new ArrayList<>();
		for (Ghost ghost : this.ghosts.values()) {
			all |= ghost.missing;
			foreign |= ghost.seen.record().slots() != this.slots;
			held = held.union(ghost.seen.record().taken());
		}
		for (MemberObservation seen : this.others.values()) {
			if (alive.test(seen)) {
				foreign |= isForeignHolder(seen.record());
				held = held.union(seen.record().held());
				if (!seen.record().claimed().isEmpty()) {
					claimants.add(seen);
				}
			}
		}
		return new Blockers(held, claimants, all, foreign, this.rules.waitsForOtherClaims());
	}

	/**
	 * Returns a Lease that this member should delete, because its member has been dead
	 * for a long time.
	 * @return the Lease; {@code null} if there is none
	 */
	@Nullable MemberLease dead() {
		for (MemberObservation seen : this.others.values()) {
			boolean due = seen.waited(this.now, this.rules) >= LONG_DEAD * seen.duration(this.times);
			if (due && seen.record().slots() != 0 && untilCleaned(seen) <= 0 && isBestFor(seen.name())) {
				this.cleaned.put(seen.name(), this.now.nanos());
				return seen.lease();
			}
		}
		return null;
	}

	private boolean isBestFor(String name) {
		return this.settled.contains(this.self) && this.settled.stream()
			.allMatch((other) -> other.equals(this.self) || SlotPlan.isBefore(this.self, other, name.hashCode()));
	}

	ShardView show(ShardView.MemberView self) {
		Map<String, ShardView.MemberView> members = new TreeMap<>();
		members.put(self.name(), self);
		for (MemberObservation seen : this.others.values()) {
			MemberRecord record = seen.record();
			members.put(seen.name(), new ShardView.MemberView(seen.name(), record.identity(), record.slots(),
					record.held(), record.claimed(), record.leaving(), !this.dead.contains(seen.name()), false));
		}
		return new ShardView(List.copyOf(members.values()));
	}

	/**
	 * Deleted Lease whose member may not know of the deletion.
	 *
	 * @param seen the last known state of the Lease
	 * @param missing {@code true} if the Lease may have had later states that this member
	 * has not seen
	 */
	private record Ghost(MemberObservation seen, boolean missing) {

		Ghost advanced(ClockReading now, ShardRules rules) {
			return new Ghost(this.seen.advanced(now, rules), this.missing);
		}

	}

	/**
	 * Slots that others hold or claim.
	 *
	 * @param held the slots that are held
	 * @param claimants the members that claim slots
	 * @param all {@code true} if every slot must count as held, because the last state of
	 * a Lease is unknown
	 * @param foreign whether another member uses another number of slots
	 * @param waits whether a claim waits until other members withdraw theirs
	 */
	private record Blockers(SlotSet held, List<MemberObservation> claimants, boolean all, boolean foreign,
			boolean waits) {

		boolean isFree(int slot) {
			return !this.all && !this.foreign && !this.held.contains(slot)
					&& (!this.waits || this.claimants.stream().noneMatch((seen) -> claims(seen, slot)));
		}

		/**
		 * Returns whether a claim must be withdrawn.
		 * @param slot the slot
		 * @param self the name of this member
		 * @return {@code true} if the claim must be withdrawn
		 */
		boolean rejects(int slot, String self) {
			return this.foreign || this.held.contains(slot) || this.claimants.stream()
				.anyMatch((seen) -> claims(seen, slot) && SlotPlan.isBefore(seen.name(), self, slot));
		}

		private static boolean claims(MemberObservation seen, int slot) {
			return seen.record().claimed().contains(slot);
		}

	}

}
