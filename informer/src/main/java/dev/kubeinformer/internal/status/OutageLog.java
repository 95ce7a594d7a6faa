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
 * What is logged of the failures of one informer. Each kind of failure is logged at once,
 * and not again before the watch was well for a while: where each connection is cut after
 * a minute, that is usual. An outage that lasts is logged all the same, with its
 * beginning and its end. Not safe for use by several threads.
 */
final class OutageLog {

	private static final Logger logger = LoggerFactory.getLogger(Informer.class);

	private static final String OFFICIAL_MODELS = "io.kubernetes.client.openapi.models.";

	/** How long all must have been well before every failure is logged again. */
	private static final Duration STEADY = Duration.ofMinutes(2);

	/** How long an outage lasts that is more than a connection that was cut. */
	private static final Duration LASTING = Duration.ofSeconds(30);

	/** How often failures are logged that hide behind those of another namespace. */
	private static final Duration REMINDER = Duration.ofMinutes(10);

	private final String id;

	private final ResourceType<?> type;

	/** Kinds of failures that were logged since the watch was well for a while. */
	private final Set<String> logged = new HashSet<>();

	/** Whether something was logged of which the end is to be logged too. */
	private boolean open = true;

	private int unlogged;

	/** When the watch that was lost last had proven to work. */
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
			// An exchanged certificate needs other connections. What fails next is news.
			logger.debug("Informer '{}' cannot {} {}: its connection was closed on this side", this.id, verb,
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
			logger.info("Informer '{}': its resourceVersion has expired at the API server; it lists again", this.id);
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
		// One line for an outage, however the connections of it end.
		return switch (failure.problem()) {
			case REFUSED_CONNECTION, INTERNAL -> Problem.IO.name();
			default -> failure.problem().name();
		};
	}

	/**
	 * Returns what went wrong, for people.
	 * @param failure the failure
	 * @return its message, with what to look at
	 */
	String message(Failure failure) {
		String advice = advice(failure);
		return (advice != null) ? "%s (%s)".formatted(failure.message(), advice) : failure.message();
	}

	/**
	 * Returns what to look at where the server does not know the resource.
	 * @param failure the failure
	 * @return the advice; {@code null} if there is none
	 */
	@Nullable String advice(Failure failure) {
		if (failure.advice() != null || failure.problem() != Problem.NOT_FOUND) {
			return failure.advice();
		}
		// Of a resource without a class, the kind is known if it is built in.
		boolean builtIn = this.type.isDynamic() ? !this.type.kind().isEmpty()
				: this.type.describedClass().getName().startsWith(OFFICIAL_MODELS);
		return builtIn
				? "is '%s' of '%s' served by this version of Kubernetes, and is the URL that of its root?"
					.formatted(this.type.plural(), this.type.apiVersion())
				: "is the CustomResourceDefinition '%s' installed, and does it serve the version '%s'?"
					.formatted(this.type.name(), this.type.version());
	}

	private boolean isDue(Instant now, boolean deniedInPart) {
		if (this.open) {
			// No end of an outage of one namespace shows while another one is denied.
			return deniedInPart && !now.isBefore(this.lastLine.plus(REMINDER));
		}
		// Watches that end at once are one outage, of which an end was logged.
		boolean unreported = !this.outageSince.isBefore(this.lastLine);
		return unreported ? !now.isBefore(this.outageSince.plus(LASTING)) : !now.isBefore(this.lastLine.plus(STEADY));
	}

	private void forget() {
		this.logged.clear();
		if (this.unlogged > 0) {
			logger.info("Informer '{}': {} more failures like those before were not logged", this.id, this.unlogged);
			this.unlogged = 0;
		}
	}

	void ended(Instant now, StoreSnapshot<?> snapshot) {
		// The end of what was logged, or of an outage that was not.
		logger.atLevel(this.open ? Level.INFO : Level.DEBUG)
			.log("Informer '{}' is LIVE: {} objects at resourceVersion {}", this.id, snapshot.size(),
					PrintableText.of(snapshot.resourceVersion()));
		this.lastLine = this.open ? now : this.lastLine;
		this.open = false;
	}

	void regressed(String resourceVersion, String newestSeen) {
		if (this.logged.add("regression")) {
			logger.warn(
					"Informer '{}': the API server showed resourceVersion {} after {}; it may have been restored "
							+ "from a backup, and the most recent state is asked for",
					this.id, PrintableText.of(resourceVersion), PrintableText.of(newestSeen));
		}
	}

	/**
	 * When something failed.
	 *
	 * @param now the time
	 * @param liveSince since when the informer is live; {@code null} if it is not
	 * @param works whether its watch has proven to work
	 * @param deniedInPart whether another namespace may be denied for ever
	 */
	record Moment(Instant now, @Nullable Instant liveSince, boolean works, boolean deniedInPart) {

	}

}
