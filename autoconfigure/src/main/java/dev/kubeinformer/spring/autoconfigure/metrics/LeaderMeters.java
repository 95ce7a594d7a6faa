package dev.kubeinformer.spring.autoconfigure.metrics;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;

import dev.kubeinformer.leader.LeaderStatus;
import dev.kubeinformer.spring.leader.ElectedLeadership;

/**
 * Meters of an elector in one registry.
 */
final class LeaderMeters extends SubjectMeters<ElectedLeadership> {

	/**
	 * Window of the gauge: one minute, so that each of three scrapes a minute covers the
	 * time since the previous one.
	 */
	private static final Duration WINDOW = Duration.ofMinutes(1);

	private final RenewalSlack slack = new RenewalSlack(WINDOW, System::nanoTime);

	private final Counter renewals;

	private final Counter failedRenewals;

	private final Counter skipped;

	private final Counter warnings;

	LeaderMeters(MeterRegistry registry, ElectedLeadership elected) {
		super(registry, elected, "kubernetes.leader", Tags.of("lease", lease(elected.status().get())));
		gauge("", "Whether this replica leads (1) or not (0)", this,
				(meters) -> meters.subject().leadership().isLeader() ? 1 : 0);
		functionCounter(".transitions", "Terms of this replica as leader that began", this,
				(meters) -> meters.subject().status().get().terms());
		timeGauge(".slack", "Least remaining time of the term, now and at the renewals of the last minute", this,
				TimeUnit.SECONDS, LeaderMeters::leastSlack);
		this.renewals = renewals("success");
		this.failedRenewals = renewals("failure");
		this.warnings = counter(".warnings", "Warnings in responses of the API server to requests for the Lease");
		this.skipped = counter(".skipped", "Calls of leader-only methods that were skipped or rejected");
	}

	private static String lease(LeaderStatus status) {
		return status.namespace() + "/" + status.name();
	}

	private Counter renewals(String outcome) {
		return counter(".renewals", "Attempts of the leader to renew the Lease", "outcome", outcome);
	}

	private double leastSlack() {
		Duration left = subject().status().get().slack();
		if (left == null) {
			return Double.NaN;
		}
		double now = left.toNanos() / 1e9;
		return Math.min(now, this.slack.least().orElse(now));
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

}
