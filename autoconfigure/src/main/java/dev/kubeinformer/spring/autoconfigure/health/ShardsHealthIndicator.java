package dev.kubeinformer.spring.autoconfigure.health;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;

import dev.kubeinformer.informer.RequiredRbac;
import dev.kubeinformer.shard.ShardMember;
import dev.kubeinformer.shard.ShardsState;
import dev.kubeinformer.shard.ShardsStatus;
import dev.kubeinformer.spring.settings.ShownText;
import dev.kubeinformer.spring.shard.ShardGroup;
import dev.kubeinformer.spring.shard.SlotRanges;

/**
 * Health of the shard slots that move between the replicas. It is down if no replica has
 * held a slot for too long, or if this replica divides the objects differently from the
 * others. Readiness does not include it, because other replicas may be the cause.
 *
 * @param group the supplier of the status of this replica in its group
 * @param unheldAfter the time without a holder after which a slot is reported
 * @param clock the clock
 * @param cluster the supplier of the name of the cluster with the Leases, or of
 * {@code null} if there is only the default cluster
 */
record ShardsHealthIndicator(Supplier<ShardsStatus> group, Duration unheldAfter, Clock clock,
		Supplier<@Nullable String> cluster) implements HealthIndicator {

	/**
	 * Id under which health shows the slots, unless it is the id of a handler or
	 * reconciler.
	 */
	static final String NAME = "shards";

	@Override
	public Health health() {
		ShardsStatus status = this.group.get();
		Set<Integer> unheld = unheld(status);
		Health.Builder health = Health.status(status(status, unheld));
		InformerDetails details = new InformerDetails(health);
		details.put("state", status.state().name());
		details.put("since", status.since().toString());
		details.put("group", status.namespace() + "/" + status.group());
		details.put("cluster", this.cluster.get());
		details.put("identity", ShownText.of(status.identity()));
		details.put("division", status.division().toString());
		details.put("slots", SlotRanges.of(status.slots()));
		details.put("members", status.members().stream().map(ShardMember::name).map(ShownText::of).toList());
		if (!unheld.isEmpty()) {
			details.put("unheld", SlotRanges.of(unheld));
			details.put("unheldFor", InformerDetails.text(longest(status, unheld)));
		}
		if (status.refusedBy() != null) {
			details.put("refusedBy", ShownText.of(status.refusedBy()));
			details.put("action", ShardGroup.OTHER_DIVISION);
		}
		if (status.lastError() != null) {
			details.put("error", LeaderHealthIndicator.error(status.lastError()));
		}
		details.putAny("requiredRbac", ShardGroup.missingRbac(status).stream().map(RequiredRbac::toString).toList());
		return health.build();
	}

	private Set<Integer> unheld(ShardsStatus status) {
		Instant since = this.clock.instant().minus(this.unheldAfter);
		Set<Integer> unheld = new TreeSet<>();
		status.vacant().forEach((slot, from) -> {
			if (from.isBefore(since)) {
				unheld.add(slot);
			}
		});
		return unheld;
	}

	private Duration longest(ShardsStatus status, Set<Integer> unheld) {
		Instant now = this.clock.instant();
		return unheld.stream()
			.map((slot) -> Duration.between(status.vacant().getOrDefault(slot, now), now))
			.max(Duration::compareTo)
			.orElse(Duration.ZERO);
	}

	// After a failed request the holders are unknown, unless this replica has a term.
	private static Status status(ShardsStatus status, Set<Integer> unheld) {
		if (status.state() == ShardsState.REFUSED) {
			return Status.DOWN;
		}
		if (status.state() != ShardsState.ACTIVE || (status.lastError() != null && status.term() == null)) {
			return Status.UNKNOWN;
		}
		return unheld.isEmpty() ? Status.UP : Status.DOWN;
	}

}
