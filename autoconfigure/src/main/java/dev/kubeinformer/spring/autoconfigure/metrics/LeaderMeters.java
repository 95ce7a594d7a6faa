package dev.kubeinformer.spring.autoconfigure.metrics;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.TimeGauge;

import dev.kubeinformer.leader.LeaderStatus;
import dev.kubeinformer.spring.leader.ElectedLeadership;

/**
 * The meters of an elector in one registry.
 */
final class LeaderMeters {

	private static final String NAME = "kubernetes.leader";

	/** Of three scrapes a minute, each sees what the one before missed. */
	private static final Duration WINDOW = Duration.ofMinutes(1);

	private final MeterRegistry registry;

	private final ElectedLeadership elected;

	private final Tags tags;

	private final List<Meter> meters = new ArrayList<>();

	private final RenewalSlack slack = new RenewalSlack(WINDOW, System::nanoTime);

	private final Counter renewals;

	private final Counter failedRenewals;

	private final Counter skipped;

	private final Counter warnings;

	LeaderMeters(MeterRegistry registry, ElectedLeadership elected) {
		this.registry = registry;
		this.elected = elected;
		LeaderStatus status = elected.status().get();
		this.tags = Tags.of("lease", status.namespace() + "/" + status.name());
		added(Gauge.builder(NAME, this, (meters) -> meters.elected.leadership().isLeader() ? 1 : 0)
			.description("Whether this replica leads (1) or not (0)")
			.tags(this.tags)
			.register(registry));
		added(FunctionCounter.builder(NAME + ".transitions", this, (meters) -> meters.elected.status().get().terms())
			.description("Terms of this replica as leader that began")
			.tags(this.tags)
			.register(registry));
		added(TimeGauge.builder(NAME + ".slack", this, TimeUnit.SECONDS, LeaderMeters::leastSlack)
			.description("The least that was left of the term, now and at the renewals of the last minute")
			.tags(this.tags)
			.register(registry));
		this.renewals = renewals("success");
		this.failedRenewals = renewals("failure");
		this.warnings = added(Counter.builder(NAME + ".warnings")
			.description("Warnings that the API server answered requests for the Lease with")
			.tags(this.tags)
			.register(registry));
		this.skipped = added(Counter.builder(NAME + ".skipped")
			.description("Calls of leader-only methods that were not entered")
			.tags(this.tags)
			.register(registry));
	}

	private Counter renewals(String outcome) {
		return added(Counter.builder(NAME + ".renewals")
			.description("Attempts of the leader to renew the Lease")
			.tags(this.tags)
			.tag("outcome", outcome)
			.register(this.registry));
	}

	private double leastSlack() {
		Duration left = this.elected.status().get().slack();
		if (left == null) {
			return Double.NaN;
		}
		double now = left.toNanos() / 1e9;
		return Math.min(now, this.slack.least().orElse(now));
	}

	private <M extends Meter> M added(M meter) {
		this.meters.add(meter);
		return meter;
	}

	void renewed(Duration left) {
		this.renewals.increment();
		this.slack.renewed(left);
	}

	void renewalFailed() {
		this.failedRenewals.increment();
	}

	void revoked() {
		this.slack.clear();
	}

	void warned() {
		this.warnings.increment();
	}

	void skipped() {
		this.skipped.increment();
	}

	void remove() {
		this.meters.forEach(this.registry::remove);
	}

}
