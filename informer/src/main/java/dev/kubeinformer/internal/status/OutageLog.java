package dev.kubeinformer.internal.status;

import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Set;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

import dev.kubeinformer.informer.Informer;
import dev.kubeinformer.internal.failure.Failure;
import dev.kubeinformer.internal.store.StoreSnapshot;
import dev.kubeinformer.internal.text.PrintableText;
import dev.kubeinformer.resource.ResourceType;
import dev.kubeinformer.types.Problem;

/**
 * Logs the failures of one informer. Each kind of failure is logged at once, and again
 * only after the watch has worked for a while, because in some networks every connection
 * is closed after a minute. A long outage is always logged, with its beginning and its
 * end. Not thread-safe.
 */
final class OutageLog {

	private static final Logger logger = LoggerFactory.getLogger(Informer.class);

	private static final String OFFICIAL_MODELS = "io.kubernetes.client.openapi.models.";

	/**
	 * Time for which the watch must work before failures of every kind are logged again.
	 */
	private static final Duration STEADY = Duration.ofMinutes(2);

	/** Shortest outage worth logging on its own. */
	private static final Duration LASTING = Duration.ofSeconds(30);

	/**
	 * Interval for logging failures of one namespace while the access to another
	 * namespace is denied.
	 */
	private static final Duration REMINDER = Duration.ofMinutes(10);

	private final String id;

	private final ResourceType<?> type;

	/** Kinds of failures that were logged since the watch last worked for a while. */
	private final Set<String> logged = new HashSet<>();

	/** Whether the end of a logged failure must be logged, too. */
	private boolean open = true;

	private int unlogged;

	/** Last time at which the lost watch is known to have worked. */
	private Instant outageSince = Instant.MIN;

	private Instant lastLine = Instant.MIN;

	OutageLog(String id, ResourceType<?> type) {
		this.id = id;
		this.type = type;
	}

	void started() {
		this.logged.clear();
		this.unlogged = 0;
		this.open = true;
		this.outageSince = Instant.MIN;
		this.lastLine = Instant.MIN;
	}

	void failed(String verb, Failure failure, @Nullable String next, Moment moment) {
		Instant now = moment.now();
		if (moment.liveSince() != null && !now.isBefore(moment.liveSince().plus(STEADY))) {
			forget();
		}
		if (moment.works() || this.outageSince.equals(Instant.MIN)) {
			this.outageSince = now;
		}
		String kind = kind(failure);
		if (failure.isClosedHere() && now.isBefore(this.outageSince.plus(LASTING))) {
			// A replaced certificate needs new connections. Log the next failure.
			logger.debug("Informer '{}' cannot {} {}: this process closed the connection", this.id, verb,
					this.type.name());
			return;
		}
		if (!this.logged.add(kind) && !isDue(now, moment.deniedInPart())) {
			logger.debug("Informer '{}' cannot {} {} again: {}", this.id, verb, this.type.name(), failure.message());
			this.unlogged++;
			return;
		}
		this.open = true;
		this.lastLine = now;
		if (failure.problem() == Problem.EXPIRED) {
			logger.info("Informer '{}' lists again: its resourceVersion has expired at the API server", this.id);
			return;
		}
		logger.warn("Informer '{}' cannot {} {}: {}{}; it will {}{}", this.id, verb, this.type.name(),
				(failure.httpStatus() != null) ? kind + ": " : "", message(failure), next,
				(this.unlogged > 0) ? " (%d failures before were not logged)".formatted(this.unlogged) : "");
		this.unlogged = 0;
	}

	private static String kind(Failure failure) {
		if (failure.httpStatus() != null) {
			return "HTTP " + failure.httpStatus();
		}
		// Log one line per outage, even if its connections end in different ways.
		return switch (failure.problem()) {
			case REFUSED_CONNECTION, INTERNAL -> Problem.IO.name();
			default -> failure.problem().name();
		};
	}

	/**
	 * Returns the log message of a failure.
	 * @param failure the failure
	 * @return its message with the recommended action
	 */
	String message(Failure failure) {
		String advice = advice(failure);
		return (advice != null) ? "%s (%s)".formatted(failure.message(), advice) : failure.message();
	}

	/**
	 * Returns the recommended action if the server does not serve the resource.
	 * @param failure the failure
	 * @return the advice; {@code null} if there is none
	 */
	@Nullable String advice(Failure failure) {
		if (failure.advice() != null || failure.problem() != Problem.NOT_FOUND) {
			return failure.advice();
		}
		// The kind of a dynamic resource is known only if it is built in.
		boolean builtIn = this.type.isDynamic() ? !this.type.kind().isEmpty()
				: this.type.describedClass().getName().startsWith(OFFICIAL_MODELS);
		return builtIn
				? ("check that this version of Kubernetes serves '%s' of '%s', and that the URL is the "
						+ "root of the API server")
					.formatted(this.type.plural(), this.type.apiVersion())
				: "check that the CustomResourceDefinition '%s' is installed and serves the version '%s'"
					.formatted(this.type.name(), this.type.version());
	}

	private boolean isDue(Instant now, boolean deniedInPart) {
		if (this.open) {
			// While the access to another namespace is denied, the informer never becomes
			// LIVE, so remind from time to time.
			return deniedInPart && !now.isBefore(this.lastLine.plus(REMINDER));
		}
		// Several watches that end at once are one outage; its end was logged.
		boolean unreported = !this.outageSince.isBefore(this.lastLine);
		return unreported ? !now.isBefore(this.outageSince.plus(LASTING)) : !now.isBefore(this.lastLine.plus(STEADY));
	}

	private void forget() {
		this.logged.clear();
		if (this.unlogged > 0) {
			logger.info("Informer '{}' has recovered; {} failures like the last one were not logged", this.id,
					this.unlogged);
			this.unlogged = 0;
		}
	}

	void ended(Instant now, StoreSnapshot<?> snapshot) {
		// Log the end of a logged outage at INFO, and the end of any other at DEBUG.
		logger.atLevel(this.open ? Level.INFO : Level.DEBUG)
			.log("Informer '{}' is LIVE: {} objects at resourceVersion {}", this.id, snapshot.size(),
					PrintableText.of(snapshot.resourceVersion()));
		this.lastLine = this.open ? now : this.lastLine;
		this.open = false;
	}

	void regressed(String resourceVersion, String newestSeen) {
		if (this.logged.add("regression")) {
			logger.warn(
					"Informer '{}' lists the most recent state: the API server showed "
							+ "resourceVersion {} after {}, so it may have been restored from a backup",
					this.id, PrintableText.of(resourceVersion), PrintableText.of(newestSeen));
		}
	}

	/**
	 * Moment of a failure.
	 *
	 * @param now the current time
	 * @param liveSince the time since which the informer has been live; {@code null} if
	 * it is not live
	 * @param works {@code true} if the informer's watch has proved to work
	 * @param deniedInPart {@code true} if the access to another namespace is denied,
	 * which may last forever
	 */
	record Moment(Instant now, @Nullable Instant liveSince, boolean works, boolean deniedInPart) {

	}

}
