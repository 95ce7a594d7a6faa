package dev.kubeinformer;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.UnaryOperator;

import org.awaitility.core.ConditionFactory;

import dev.kubeinformer.internal.elector.ElectorClocks;
import dev.kubeinformer.internal.shards.ShardRules;
import dev.kubeinformer.shard.ShardsSpec;
import dev.kubeinformer.test.EmbeddedKubernetes;
import dev.kubeinformer.types.ShardKey;
import dev.kubeinformer.types.Slots;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Members of one group on one embedded API server, with short times.
 */
final class ShardRig implements AutoCloseable {

	static final Slots SLOTS = new Slots(ShardKey.UID, 16);

	static final Duration RETRY_PERIOD = Duration.ofMillis(200);

	final EmbeddedKubernetes api = EmbeddedKubernetes.start();

	private final List<ShardMembership> members = new ArrayList<>();

	/** Whether no term may end because the machine stands still for a while. */
	private boolean patient = true;

	static ConditionFactory await() {
		return ElectorRig.await();
	}

	/**
	 * Lets the terms of members that are made from now on end soon without a renewal.
	 */
	ShardRig hasty() {
		this.patient = false;
		return this;
	}

	ShardsSpec spec(String identity) {
		ShardsSpec spec = ShardsSpec.of("default", "app", SLOTS)
			.withIdentity(identity)
			.withSettleTime(Duration.ofMillis(100));
		return this.patient ? spec.withTimes(ElectorRig.PATIENT_DURATION, ElectorRig.PATIENT_DEADLINE, RETRY_PERIOD)
				: spec.withTimes(ElectorRig.LEASE_DURATION, ElectorRig.RENEW_DEADLINE, RETRY_PERIOD);
	}

	ShardMembership member(String identity) {
		return member(identity, this.api.url(), (spec) -> spec);
	}

	ShardMembership member(String identity, UnaryOperator<ShardsSpec> change) {
		return member(identity, this.api.url(), change);
	}

	ShardMembership member(String identity, String url, UnaryOperator<ShardsSpec> change) {
		return add(ShardMembership.of(() -> ElectorRig.client(url), change.apply(spec(identity))));
	}

	ShardMembership member(String identity, ElectorClocks clocks) {
		return add(
				new ShardMembership(() -> ElectorRig.client(this.api.url()), spec(identity), clocks, new ShardRules()));
	}

	private ShardMembership add(ShardMembership member) {
		this.members.add(member);
		return member;
	}

	/**
	 * Starts a member and waits until it has all slots.
	 */
	ShardMembership only(String identity) {
		ShardMembership member = member(identity);
		member.start();
		await().until(() -> member.slots().size() == SLOTS.total());
		return member;
	}

	/**
	 * Waits until slots are distributed evenly over members, and checks all the time that
	 * no slot has two of them.
	 */
	static void awaitBalance(ShardMembership... members) {
		await().until(() -> isBalanced(members));
	}

	static boolean isBalanced(ShardMembership... members) {
		requireDisjoint(members);
		int total = members[0].division().total();
		int least = total / members.length;
		int most = (total + members.length - 1) / members.length;
		return Arrays.stream(members).mapToInt((member) -> member.slots().size()).sum() == total
				&& Arrays.stream(members).allMatch((member) -> {
					int held = member.slots().size();
					return held >= least && held <= most && member.status().draining().isEmpty();
				});
	}

	/**
	 * Requires that no slot is owned twice. A member that is asked later must not own a
	 * slot that an earlier one still owned before or owns after.
	 */
	static void requireDisjoint(ShardMembership... members) {
		int total = members[0].division().total();
		for (int slot = 0; slot < total; slot++) {
			for (ShardMembership one : members) {
				for (ShardMembership other : members) {
					if (one != other && one.owns(slot) && other.owns(slot)) {
						// One of them may have released it between the questions.
						assertThat(one.owns(slot)).as("two own slot " + slot).isFalse();
					}
				}
			}
		}
	}

	@Override
	public void close() {
		this.api.faults().clear();
		this.members.forEach(ShardMembership::stop);
		this.api.close();
	}

}
