package dev.kubeinformer.internal.membership;

import java.util.Locale;
import java.util.UUID;

import dev.kubeinformer.internal.codec.json.LeaseDocument;
import dev.kubeinformer.internal.election.LeaseRecord;
import dev.kubeinformer.internal.shards.MemberLease;
import dev.kubeinformer.internal.shards.MemberRecord;
import dev.kubeinformer.internal.shards.SlotSet;
import dev.kubeinformer.shard.ShardsSpec;
import dev.kubeinformer.types.ShardKey;
import dev.kubeinformer.types.Slots;

/**
 * Converts the Leases of a group to records, and back. A member's slots are in
 * annotations of its Lease. A label names the group.
 */
final class MemberLeases {

	/** Label with the name of the group. */
	static final String GROUP = "kubeinformer.dev/shards";

	/** Annotation with the division, such as {@code 64 by uid}. */
	static final String DIVISION = "kubeinformer.dev/slots";

	/** Annotation with the slots that the member holds, such as {@code 0-12,40}. */
	static final String HELD = "kubeinformer.dev/held";

	/** Annotation with the slots that the member claims. */
	static final String CLAIMED = "kubeinformer.dev/claimed";

	/** Annotation that marks a member that leaves the group. */
	static final String LEAVING = "kubeinformer.dev/leaving";

	private static final int LONGEST_BASE = 200;

	private static final int RADIX = 36;

	/**
	 * Number that is added to the number of slots in a record, if the record divides
	 * objects by a later {@link ShardKey} than this member.
	 */
	private static final int LATER_KEY = 100_000;

	private static final String BY = " by ";

	private final String namespace;

	private final String group;

	private final Slots division;

	MemberLeases(ShardsSpec spec) {
		this.namespace = spec.namespace();
		this.group = spec.group();
		this.division = spec.slots();
	}

	/**
	 * Returns the selector of the group's Leases.
	 * @return the label selector
	 */
	String selector() {
		return GROUP + "=" + this.group;
	}

	/**
	 * Returns a name for the Lease of a member. Each start of a member uses a new name,
	 * so that others do not mistake its Lease for the Lease of an earlier start.
	 * @param group the name of the group
	 * @param identity the identity of the member
	 * @return the name, a DNS subdomain
	 */
	static String newName(String group, String identity) {
		String prefix = plain(group);
		String member = plain(identity);
		String base = member.startsWith(prefix) ? member : prefix + "-" + member;
		base = plain(base.substring(0, Math.min(LONGEST_BASE, base.length())));
		String unique = Long.toUnsignedString(UUID.randomUUID().getMostSignificantBits(), RADIX);
		return base.isEmpty() ? unique : base + "-" + unique;
	}

	private static String plain(String name) {
		return name.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-").replaceAll("^-|-$", "");
	}

	/**
	 * Returns the Lease of a new member.
	 * @param name the name of the Lease
	 * @return the Lease, without a record
	 */
	LeaseDocument create(String name) {
		return LeaseDocument.of(this.namespace, name).withLabel(GROUP, this.group);
	}

	/**
	 * Writes a record into a Lease, and leaves everything else unchanged.
	 * @param lease the Lease
	 * @param record the record
	 * @return the changed Lease
	 */
	LeaseDocument write(LeaseDocument lease, MemberRecord record) {
		LeaseRecord before = lease.record();
		return lease
			.with(new LeaseRecord(record.identity(), record.durationSeconds(),
					(before.acquireTime() != null) ? before.acquireTime() : record.renewTime(), record.renewTime(),
					before.transitions(), before.preferredHolder()))
			.withLabel(GROUP, this.group)
			.withAnnotation(DIVISION, this.division.toString())
			.withAnnotation(HELD, record.held().toString())
			.withAnnotation(CLAIMED, record.claimed().toString())
			.withAnnotation(LEAVING, record.leaving() ? "true" : "");
	}

	/**
	 * Reads a Lease.
	 * @param lease the Lease
	 * @return the record; its number of slots is 0 if the Lease has an unknown form
	 */
	MemberLease read(LeaseDocument lease) {
		return new MemberLease(lease.name(), lease.resourceVersion(), record(lease));
	}

	private MemberRecord record(LeaseDocument lease) {
		LeaseRecord spec = lease.record();
		SlotSet held = SlotSet.none();
		SlotSet claimed = SlotSet.none();
		int slots = 0;
		try {
			held = SlotSet.parse(lease.annotation(HELD));
			claimed = SlotSet.parse(lease.annotation(CLAIMED));
			slots = slots(lease.annotation(DIVISION), Math.max(held.bound(), claimed.bound()));
		}
		catch (IllegalArgumentException ex) {
			// Another version or another program wrote the Lease. While its member lives,
			// other members claim no slots.
			slots = 0;
		}
		return new MemberRecord(spec.holder(), spec.durationSeconds(), spec.renewTime(), slots, held, claimed,
				lease.annotation(LEAVING).equals("true"));
	}

	private int slots(String text, int bound) {
		// If a record divides objects by another key, return a number that no division by
		// the own key has. So all members order the divisions in the same way.
		int by = Math.max(0, text.indexOf(BY));
		int slots = Integer.parseInt(text.substring(0, by));
		ShardKey key = ShardKey.valueOf(text.substring(by + BY.length()).toUpperCase(Locale.ROOT));
		if (slots < 1 || bound > slots) {
			throw new IllegalArgumentException("Slots outside of the division");
		}
		int order = key.compareTo(this.division.key());
		if (order == 0) {
			return slots;
		}
		return (order < 0) ? -slots : LATER_KEY + slots;
	}

	/**
	 * Returns whether the number of slots in a record shows that it divides objects by
	 * the key of this member.
	 * @param slots the number in the record
	 * @return {@code true} if the key is the same
	 */
	static boolean isOwnKey(int slots) {
		return slots > 0 && slots < LATER_KEY;
	}

}
