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
 * Health of the election of a leader. It is up on a standby as on the leader: both do
 * what they are there for. It never fails: a replica that cannot reach the Lease serves
 * all that is not the leader's, and to restart it would mend nothing.
 *
 * @param elector gives what the elector is doing
 * @param cluster gives the name of the cluster that has the Lease; {@code null} where
 * there is only the default one
 */
record LeaderHealthIndicator(Supplier<LeaderStatus> elector,
		Supplier<@Nullable String> cluster) implements HealthIndicator {

	/** Takes the place of an id; no handler or reconciler may have it. */
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

	// Who leads is not known while the last request failed, unless it is this replica.
	private static Status status(LeaderStatus status) {
		boolean unknown = status.state() == LeaderState.STOPPED
				|| (status.lastError() != null && status.term() == null);
		return unknown ? Status.UNKNOWN : Status.UP;
	}

	private static Map<String, Object> error(LeaderStatus.Failure failure) {
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
