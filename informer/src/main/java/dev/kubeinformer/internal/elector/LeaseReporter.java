package dev.kubeinformer.internal.elector;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.kubeinformer.internal.failure.Failure;
import dev.kubeinformer.internal.http.WarningLog;
import dev.kubeinformer.internal.text.Durations;
import dev.kubeinformer.internal.text.PrintableText;
import dev.kubeinformer.leader.LeaderSpec;
import dev.kubeinformer.leader.LeaderStatus;
import dev.kubeinformer.leader.Leadership;
import dev.kubeinformer.leader.RevocationReason;
import dev.kubeinformer.types.Problem;

/**
 * Reports the requests of an elector in the log and in the status. A continuing failure
 * is logged once. Thread-safe.
 */
public final class LeaseReporter {

	private static final Logger logger = LoggerFactory.getLogger(Leadership.class);

	private static final List<String> WRITING = List.of("update", "create");

	/** Reason of a call that gets no response in time. */
	private static final String TIMEOUT = "InterruptedIOException";

	private final LeaderSpec spec;

	private final ElectorClocks clocks;

	private final WarningLog warnings;

	private final Map<String, LeaderStatus.Failure> failures = new HashMap<>();

	private final Set<String> missingVerbs = new HashSet<>();

	/** Holder in the last read Lease; empty if there is none. */
	private String holder = "";

	/** Time at which the current term was last granted or renewed. */
	private @Nullable Instant renewedAt;

	/** Failures that were logged and have not been resolved. */
	private final Set<String> logged = new HashSet<>();

	public LeaseReporter(LeaderSpec spec, ElectorClocks clocks) {
		this.spec = spec;
		this.clocks = clocks;
		this.warnings = new WarningLog(logger,
				() -> "'%s', with Lease '%s/%s', ".formatted(spec.identity(), spec.namespace(), spec.name()),
				clocks.nanoTime());
	}

	void warned(String text) {
		this.warnings.warned("leases.coordination.k8s.io", text);
	}

	synchronized void succeeded(String verb) {
		boolean forbidden = this.missingVerbs.contains(verb);
		boolean wasLogged = forget(verb);
		if (wasLogged && forbidden) {
			logger.info("The API server now allows to {} Lease '{}/{}'", verb, this.spec.namespace(), this.spec.name());
		}
		else if (wasLogged) {
			logger.info("Lease '{}/{}' is reachable again ({})", this.spec.namespace(), this.spec.name(), verb);
		}
	}

	private boolean forget(String verb) {
		this.missingVerbs.remove(verb);
		this.failures.remove(verb);
		return this.logged.removeIf((kind) -> kind.startsWith(verb + " "));
	}

	synchronized void failed(String verb, Failure failure) {
		this.failures.put(verb, new LeaderStatus.Failure(this.clocks.now(), verb, failure.httpStatus(),
				failure.reason().equals(TIMEOUT) ? "Timeout" : failure.reason()));
		if (failure.problem() == Problem.FORBIDDEN) {
			this.missingVerbs.add(verb);
		}
		if (!this.logged.add(verb + " " + failure.problem())) {
			logger.debug("Cannot {} Lease '{}/{}': {}", verb, this.spec.namespace(), this.spec.name(),
					failure.message());
			return;
		}
		if (verb.equals("watch")) {
			logger.debug("Cannot watch Lease '{}/{}'; reading it every {} s instead: {}", this.spec.namespace(),
					this.spec.name(), Durations.millis(this.spec.retryPeriod()) / 1000.0, failure.message());
			return;
		}
		switch (failure.problem()) {
			case FORBIDDEN -> logger.warn(
					"Cannot {} Lease '{}/{}', so this replica cannot lead; add a rule for verb '{}' "
							+ "on resource 'leases' of API group 'coordination.k8s.io' in namespace '{}'{}: {}",
					verb, this.spec.namespace(), this.spec.name(), verb, this.spec.namespace(),
					verb.equals("create") ? "" : " with resource name '" + this.spec.name() + "'", failure.message());
			case NOT_FOUND -> logger.warn(
					"Cannot {} Lease '{}/{}', so this replica cannot lead; check that namespace '{}' "
							+ "exists and that the API server serves 'leases' of 'coordination.k8s.io/v1': {}",
					verb, this.spec.namespace(), this.spec.name(), this.spec.namespace(), failure.message());
			default -> logger.warn("Cannot {} Lease '{}/{}'; retrying: {}", verb, this.spec.namespace(),
					this.spec.name(), failure.message());
		}
	}

	synchronized void noClient(Throwable failure) {
		String kind = failure.getClass().getSimpleName();
		this.failures.put("get", new LeaderStatus.Failure(this.clocks.now(), "get", null, kind));
		if (this.logged.add("get " + kind)) {
			logger.warn("Cannot obtain the API client for Lease '{}/{}'; retrying: {}", this.spec.namespace(),
					this.spec.name(), PrintableText.of(String.valueOf(failure.getMessage())));
		}
	}

	public synchronized LeaderStatus.@Nullable Failure lastError() {
		return this.failures.values()
			.stream()
			.filter((failure) -> !failure.verb().equals("watch"))
			.max(Comparator.comparing(LeaderStatus.Failure::at))
			.orElse(null);
	}

	public synchronized List<String> missingVerbs() {
		List<String> verbs = new ArrayList<>(this.missingVerbs);
		verbs.sort(Comparator.naturalOrder());
		return verbs;
	}

	synchronized void granted(Leadership.Term term) {
		this.renewedAt = this.clocks.now();
		logger.info("'{}' became the leader with Lease '{}/{}' (term {})", this.spec.identity(), this.spec.namespace(),
				this.spec.name(), term.number());
	}

	synchronized void renewed() {
		this.renewedAt = this.clocks.now();
	}

	synchronized void revoked(long number, RevocationReason reason) {
		if (reason == RevocationReason.EXPIRED || reason == RevocationReason.TAKEN) {
			logger.warn("'{}' lost Lease '{}/{}' (term {}): {}; {}", this.spec.identity(), this.spec.namespace(),
					this.spec.name(), number, text(reason), lastRenewal());
		}
		else {
			logger.info("'{}' stopped leading with Lease '{}/{}' (term {}): {}", this.spec.identity(),
					this.spec.namespace(), this.spec.name(), number, text(reason));
		}
	}

	private String lastRenewal() {
		Instant renewed = this.renewedAt;
		if (renewed == null) {
			return "it was never renewed";
		}
		LeaderStatus.Failure failure = lastError();
		String cause = (failure != null && !failure.at().isBefore(renewed))
				? "the last request, %s, failed by %s".formatted(failure.verb(), failure.reason())
				: "no request has failed since; a request got no response, or this process was suspended";
		return "it was renewed %d s ago, and %s".formatted(Duration.between(renewed, this.clocks.now()).toSeconds(),
				cause);
	}

	private static String text(RevocationReason reason) {
		return switch (reason) {
			case YIELDED -> "it yielded to another replica";
			case PREFERRED -> "the Lease names a preferred holder";
			case STOPPED -> "the elector was stopped";
			case EXPIRED -> "the Lease was not renewed in time";
			case TAKEN -> "the Lease has another holder or was deleted";
		};
	}

	/**
	 * Records and logs a new holder of the Lease.
	 * @param current the holder; empty if there is none
	 */
	synchronized void holderChanged(String current) {
		String before = this.holder;
		this.holder = current;
		if (current.equals(this.spec.identity())) {
			if (!before.isEmpty() && !before.equals(current)) {
				logger.info(
						"'{}' did not renew Lease '{}/{}' for {} s; it is considered dead and its Lease can be acquired",
						PrintableText.of(before), this.spec.namespace(), this.spec.name(),
						Durations.millis(this.spec.leaseDuration()) / 1000.0);
			}
			return;
		}
		if (current.isEmpty()) {
			logger.info("Lease '{}/{}' has no holder", this.spec.namespace(), this.spec.name());
		}
		else {
			// Forget failed writes, because a standby does not write. The next attempt
			// shows whether they still fail.
			WRITING.forEach(this::forget);
			logger.info("'{}' holds Lease '{}/{}'", PrintableText.of(current), this.spec.namespace(), this.spec.name());
		}
	}

	void undrained() {
		logger.warn(
				"The leader's work for Lease '{}/{}' did not drain in time, so the Lease is not "
						+ "released; another replica can lead after {} s",
				this.spec.namespace(), this.spec.name(), Durations.millis(this.spec.leaseDuration()) / 1000.0);
	}

}
