package dev.kubeinformer.spring.autoconfigure.health;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;

import dev.kubeinformer.informer.RequiredRbac;
import dev.kubeinformer.leader.LeaderState;
import dev.kubeinformer.leader.LeaderStatus;
import dev.kubeinformer.leader.Leadership;
import dev.kubeinformer.spring.leader.ElectedLeadership;
import dev.kubeinformer.spring.settings.ShownText;

/**
 * Health of leader election. It is up on the leader and on standbys. It is never down,
 * because a replica that cannot reach the Lease still does all work that is not
 * leader-only, and a restart would not help.
 *
 * @param elector the supplier of the elector's status
 * @param cluster the supplier of the name of the cluster with the Lease, or of
 * {@code null} if there is only the default cluster
 */
record LeaderHealthIndicator(Supplier<LeaderStatus> elector,
		Supplier<@Nullable String> cluster) implements HealthIndicator {

	/** Reserved id of leader election; no handler or reconciler may have it. */
	static final String NAME = "leader";

	@Override
	public Health health() {
		LeaderStatus status = this.elector.get();
		Health.Builder health = Health.status(status(status));
		InformerDetails details = new InformerDetails(health);
		details.put("state", status.state().name());
		details.put("since", status.since().toString());
		details.put("lease", status.namespace() + "/" + status.name());
		details.put("cluster", this.cluster.get());
		details.put("identity", status.identity());
		String holder = status.holder();
		details.put("holder", (holder != null) ? ShownText.of(holder) : null);
		Leadership.Term term = status.term();
		if (term != null) {
			details.put("term", term.number());
		}
		if (status.slack() != null) {
			details.put("slack", InformerDetails.text(status.slack()));
		}
		details.putAny("awaiting", status.awaiting());
		if (status.lastError() != null) {
			details.put("error", error(status.lastError()));
		}
		details.putAny("requiredRbac",
				ElectedLeadership.missingRbac(status).stream().map(RequiredRbac::toString).toList());
		return health.build();
	}

	// After a failed request the leader is unknown, unless this replica leads.
	private static Status status(LeaderStatus status) {
		boolean unknown = status.state() == LeaderState.STOPPED
				|| (status.lastError() != null && status.term() == null);
		return unknown ? Status.UNKNOWN : Status.UP;
	}

	static Map<String, Object> error(LeaderStatus.Failure failure) {
		Map<String, Object> error = new LinkedHashMap<>();
		error.put("at", failure.at().toString());
		error.put("verb", failure.verb());
		error.put("reason", failure.reason());
		if (failure.httpStatus() != null) {
			error.put("httpStatus", failure.httpStatus());
		}
		return error;
	}

}
