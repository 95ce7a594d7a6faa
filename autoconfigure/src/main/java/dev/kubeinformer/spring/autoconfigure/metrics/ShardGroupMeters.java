package dev.kubeinformer.spring.autoconfigure.metrics;

import java.time.Duration;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;

import dev.kubeinformer.shard.ShardLossReason;
import dev.kubeinformer.spring.shard.SlotHolders;

/**
 * Meters in one registry for the shard slots that move between the replicas.
 */
final class ShardGroupMeters extends SubjectMeters<SlotHolders> {

	private final Counter gained;

	private final Map<ShardLossReason, Counter> lost = new EnumMap<>(ShardLossReason.class);

	private final Timer gaps;

	private final Counter renewals;

	private final Counter failedRenewals;

	ShardGroupMeters(MeterRegistry registry, SlotHolders holders) {
		super(registry, holders, "kubernetes.shards", Tags.empty());
		gauge(".held", "Slots that this replica holds", this, (meters) -> meters.subject().shards().slots().size());
		gauge(".members", "Live replicas of the group, as far as this replica knows", this,
				(meters) -> meters.subject().shards().members().size());
		gauge(".imbalance", "Difference between the highest and the lowest number of slots of a replica", this,
				(meters) -> meters.subject().imbalance());
		gauge(".unheld", "Slots without a known holder", this, (meters) -> meters.subject().unheld().size());
		timeGauge(".unheld.longest", "Longest time for which a slot has had no known holder", this, TimeUnit.SECONDS,
				(meters) -> meters.subject().longestUnheld().toNanos() / 1e9);
		this.gaps = timer(".gap", "Times for which slots were without a holder until they had one again");
		this.gained = counter(".gained", "Slots that this replica has gained");
		for (ShardLossReason reason : ShardLossReason.values()) {
			this.lost.put(reason, counter(".lost", "Slots that this replica has lost", "reason",
					reason.name().toLowerCase(Locale.ROOT)));
		}
		this.renewals = renewals("success");
		this.failedRenewals = renewals("failure");
	}

	private Counter renewals(String outcome) {
		return counter(".renewals", "Attempts of this replica to renew its Lease", "outcome", outcome);
	}

	void gained(int slots) {
		this.gained.increment(slots);
	}

	void lost(int slots, ShardLossReason reason) {
		Counter counter = this.lost.get(reason);
		if (counter != null) {
			counter.increment(slots);
		}
	}

	void gap(Duration time) {
		this.gaps.record(time);
	}

	void renewed() {
		this.renewals.increment();
	}

	void renewalFailed() {
		this.failedRenewals.increment();
	}

}
