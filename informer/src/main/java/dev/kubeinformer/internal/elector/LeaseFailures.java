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

import dev.kubeinformer.internal.failure.Failure;
import dev.kubeinformer.internal.http.WarningLog;
import dev.kubeinformer.internal.text.Durations;
import dev.kubeinformer.internal.text.PrintableText;
import dev.kubeinformer.leader.LeaderStatus;
import dev.kubeinformer.types.Problem;

/**
 * Reports failed requests for Leases in the log and in the status. If requests keep
 * failing for the same reason, that is logged once. Thread-safe.
 */
public final class LeaseFailures {

	/** Reason in the log and status if a request gets no response in time. */
	private static final String TIMEOUT = "InterruptedIOException";

	private static final List<String> ANY_NAME = List.of("create", "list", "delete");

	private final Logger logger;

	private final String lease;

	private final String consequence;

	private final String namespace;

	private final @Nullable String name;

	private final Duration retryPeriod;

	private final ElectorClocks clocks;

	private final WarningLog warnings;

	// The fields below are guarded by this.

	private final Map<String, LeaderStatus.Failure> failures = new HashMap<>();

	private final Set<String> missingVerbs = new HashSet<>();

	/** Failures that were logged, and whose requests have not succeeded since. */
	private final Set<String> logged = new HashSet<>();

	/**
	 * Creates the reporter of failures.
	 * @param logger the logger
	 * @param lease the name of the Lease or Leases in messages
	 * @param consequence the sentence about the consequence of a missing permission in
	 * messages
	 * @param namespace the namespace of the Leases
	 * @param name the name of the only Lease; {@code null} if there are several
	 * @param warned the beginning of messages about warnings
	 * @param retryPeriod the time after which a request is repeated
	 * @param clocks the clocks
	 */
	public LeaseFailures(Logger logger, String lease, String consequence, String namespace, @Nullable String name,
			String warned, Duration retryPeriod, ElectorClocks clocks) {
		this.logger = logger;
		this.lease = lease;
		this.consequence = consequence;
		this.namespace = namespace;
		this.name = name;
		this.retryPeriod = retryPeriod;
		this.clocks = clocks;
		this.warnings = new WarningLog(logger, () -> warned, clocks.nanoTime());
	}

	/**
	 * Reports a warning of the API server.
	 * @param text the warning
	 */
	public void warned(String text) {
		this.warnings.warned("leases.coordination.k8s.io", text);
	}

	/**
	 * Reports that a request succeeded.
	 * @param verb the verb of the request
	 */
	public synchronized void succeeded(String verb) {
		boolean forbidden = this.missingVerbs.contains(verb);
		boolean wasLogged = forget(verb);
		if (wasLogged && forbidden) {
			this.logger.info("The API server now allows to {} {}", verb, this.lease);
		}
		else if (wasLogged) {
			this.logger.info("Requests for {} succeed again ({})", this.lease, verb);
		}
	}

	/**
	 * Forgets the failures of a verb.
	 * @param verb the verb
	 * @return {@code true} if one of them was logged
	 */
	synchronized boolean forget(String verb) {
		this.missingVerbs.remove(verb);
		this.failures.remove(verb);
		return this.logged.removeIf((kind) -> kind.startsWith(verb + " "));
	}

	/**
	 * Reports that a request failed.
	 * @param verb the verb of the request
	 * @param failure the failure
	 */
	public synchronized void failed(String verb, Failure failure) {
		this.failures.put(verb, new LeaderStatus.Failure(this.clocks.now(), verb, failure.httpStatus(),
				failure.reason().equals(TIMEOUT) ? "Timeout" : failure.reason()));
		if (failure.problem() == Problem.FORBIDDEN) {
			this.missingVerbs.add(verb);
		}
		if (!this.logged.add(verb + " " + failure.problem())) {
			this.logger.debug("Cannot {} {}: {}", verb, this.lease, failure.message());
			return;
		}
		if (verb.equals("watch")) {
			this.logger.debug("Cannot watch {}; reading it every {} s instead: {}", this.lease,
					Durations.millis(this.retryPeriod) / 1000.0, failure.message());
			return;
		}
		switch (failure.problem()) {
			case FORBIDDEN -> this.logger.warn(
					"Cannot {} {}, {}; add a rule for verb '{}' "
							+ "on resource 'leases' of API group 'coordination.k8s.io' in namespace '{}'{}: {}",
					verb, this.lease, this.consequence, verb, this.namespace,
					(this.name == null || ANY_NAME.contains(verb)) ? "" : " with resource name '" + this.name + "'",
					failure.message());
			case NOT_FOUND -> this.logger.warn(
					"Cannot {} {}, {}; check that namespace '{}' "
							+ "exists and that the API server serves 'leases' of 'coordination.k8s.io/v1': {}",
					verb, this.lease, this.consequence, this.namespace, failure.message());
			default -> this.logger.warn("Cannot {} {}; retrying: {}", verb, this.lease, failure.message());
		}
	}

	/**
	 * Reports that the API client could not be obtained.
	 * @param verb the verb of the request that was to be sent
	 * @param failure the reason
	 */
	public synchronized void noClient(String verb, Throwable failure) {
		String kind = failure.getClass().getSimpleName();
		this.failures.put(verb, new LeaderStatus.Failure(this.clocks.now(), verb, null, kind));
		if (this.logged.add(verb + " " + kind)) {
			this.logger.warn("Cannot obtain the API client for {}; retrying: {}", this.lease,
					PrintableText.of(String.valueOf(failure.getMessage())));
		}
	}

	/**
	 * Returns the last failure of a request. Failures of the watch do not count.
	 * @return the failure; {@code null} if there is none
	 */
	public synchronized LeaderStatus.@Nullable Failure lastError() {
		return this.failures.values()
			.stream()
			.filter((failure) -> !failure.verb().equals("watch"))
			.max(Comparator.comparing(LeaderStatus.Failure::at))
			.orElse(null);
	}

	/**
	 * Returns the verbs for which the API server has denied the last request.
	 * @return the verbs, sorted
	 */
	public synchronized List<String> missingVerbs() {
		List<String> verbs = new ArrayList<>(this.missingVerbs);
		verbs.sort(Comparator.naturalOrder());
		return verbs;
	}

	/**
	 * Describes when the term was last renewed, and why it may not have been renewed
	 * since.
	 * @param renewed the time of the last renewal; {@code null} if there was none
	 * @return the description
	 */
	public String since(@Nullable Instant renewed) {
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

}
