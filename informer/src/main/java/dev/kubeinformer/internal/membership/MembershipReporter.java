package dev.kubeinformer.internal.membership;

import java.time.Instant;
import java.util.List;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.kubeinformer.internal.elector.ElectorClocks;
import dev.kubeinformer.internal.elector.LeaseFailures;
import dev.kubeinformer.internal.elector.TermReport;
import dev.kubeinformer.internal.shards.DrainReason;
import dev.kubeinformer.internal.shards.SlotSet;
import dev.kubeinformer.internal.text.Durations;
import dev.kubeinformer.internal.text.PrintableText;
import dev.kubeinformer.leader.LeaderStatus;
import dev.kubeinformer.leader.Leadership;
import dev.kubeinformer.leader.RevocationReason;
import dev.kubeinformer.shard.ShardLossReason;
import dev.kubeinformer.shard.ShardMember;
import dev.kubeinformer.shard.Shards;
import dev.kubeinformer.shard.ShardsSpec;

/**
 * Reports a membership in the log, and passes the end of a term to the work of slots.
 * Thread-safe.
 */
public final class MembershipReporter implements TermReport {

	private static final Logger logger = LoggerFactory.getLogger(Shards.class);

	private final ShardsSpec spec;

	private final ElectorClocks clocks;

	private final SlotWorks works;

	private final LeaseFailures failures;

	private volatile @Nullable Instant renewedAt;

	/** Number of slots after the last change, for the report of a loss. */
	private volatile int held;

	/**
	 * Creates the reporter of a membership.
	 * @param spec the settings
	 * @param clocks the clocks
	 * @param works calls the work of slots
	 */
	public MembershipReporter(ShardsSpec spec, ElectorClocks clocks, SlotWorks works) {
		this.spec = spec;
		this.clocks = clocks;
		this.works = works;
		String leases = "Leases of group '%s/%s'".formatted(spec.namespace(), spec.group());
		this.failures = new LeaseFailures(logger, leases, "so this replica gets no slots", spec.namespace(), null,
				"'%s', with %s, ".formatted(spec.identity(), leases), spec.retryPeriod(), clocks);
	}

	LeaseFailures failures() {
		return this.failures;
	}

	public LeaderStatus.@Nullable Failure lastError() {
		return this.failures.lastError();
	}

	public List<String> missingVerbs() {
		return this.failures.missingVerbs();
	}

	@Override
	public void granted(Leadership.Term term) {
		this.renewedAt = this.clocks.now();
		logger.debug("'{}' is a member of group '{}/{}' (term {})", this.spec.identity(), this.spec.namespace(),
				this.spec.group(), term.number());
	}

	void renewed() {
		this.renewedAt = this.clocks.now();
	}

	@Override
	public void revoked(long number, RevocationReason reason) {
		boolean expired = reason == RevocationReason.EXPIRED || reason == RevocationReason.TAKEN;
		if (expired) {
			logger.warn("'{}' lost its {} of {} slots of group '{}/{}' (term {}): {}; {}", this.spec.identity(),
					this.held, this.spec.slots().total(), this.spec.namespace(), this.spec.group(), number,
					(reason == RevocationReason.TAKEN) ? "its Lease was deleted or changed by another client"
							: "its Lease was not renewed in time",
					this.failures.since(this.renewedAt));
		}
		else {
			logger.info("'{}' left group '{}/{}' (term {})", this.spec.identity(), this.spec.namespace(),
					this.spec.group(), number);
		}
		this.held = 0;
		this.works.lose(expired ? ShardLossReason.EXPIRED : ShardLossReason.STOPPED);
	}

	@Override
	public void undrained() {
		logger.warn("Work of a member of group '{}/{}' did not drain in time", this.spec.namespace(),
				this.spec.group());
	}

	void joining(String lease) {
		logger.info("'{}' joins group '{}/{}' with Lease '{}'", this.spec.identity(), this.spec.namespace(),
				this.spec.group(), lease);
	}

	void gained(SlotSet slots) {
		this.held = this.works.slots().size();
		logger.info("'{}' gained {} slots of group '{}/{}' ({}); it holds {} of {}", this.spec.identity(), slots.size(),
				this.spec.namespace(), this.spec.group(), slots, this.held, this.spec.slots().total());
	}

	void draining(SlotSet slots, DrainReason reason) {
		logger.debug("'{}' hands over {} slots of group '{}/{}' ({}): {}", this.spec.identity(), slots.size(),
				this.spec.namespace(), this.spec.group(), reason, slots);
	}

	void released(SlotSet slots) {
		this.held = this.works.slots().size();
		logger.info("'{}' handed over {} slots of group '{}/{}' ({}); it holds {} of {}", this.spec.identity(),
				slots.size(), this.spec.namespace(), this.spec.group(), slots, this.held, this.spec.slots().total());
	}

	void members(List<ShardMember> members) {
		logger.info("Group '{}/{}' has {} members: {}", this.spec.namespace(), this.spec.group(), members.size(),
				members.stream()
					.map((member) -> "'" + PrintableText.of(member.name()) + "'")
					.collect(Collectors.joining(", ")));
	}

	/**
	 * Reports that this process takes no slots.
	 * @param lease the Lease of the other member
	 * @param slots the number of slots in the record of the other member
	 */
	void refused(String lease, int slots) {
		logger.error(
				"'{}' takes no slots of group '{}/{}', because it divides objects into {} and Lease '{}' into {}; "
						+ "use the same number and key in all replicas, or another name of the group",
				this.spec.identity(), this.spec.namespace(), this.spec.group(), this.spec.slots(),
				PrintableText.of(lease),
				MemberLeases.isOwnKey(slots) ? slots : "slots by another key or in another format");
	}

	void undrainedSlots() {
		logger.warn(
				"'{}' did not hand over all slots of group '{}/{}' within {}, so they are not "
						+ "released; other members can take them after {}",
				this.spec.identity(), this.spec.namespace(), this.spec.group(),
				Durations.text(this.spec.drainTimeout()), Durations.text(this.spec.leaseDuration()));
	}

}
