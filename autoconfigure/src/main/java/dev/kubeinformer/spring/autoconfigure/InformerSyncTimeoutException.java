package dev.kubeinformer.spring.autoconfigure;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Collection;

import org.springframework.boot.convert.DurationStyle;

import dev.kubeinformer.Informer;
import dev.kubeinformer.InformerStatus;
import dev.kubeinformer.RequiredRbac;
import dev.kubeinformer.spring.settings.InformerConfigurationException;

/**
 * Thrown when the start waits for informers and they do not hold their first full state
 * in time.
 */
public class InformerSyncTimeoutException extends InformerConfigurationException {

	private static final long serialVersionUID = 1L;

	InformerSyncTimeoutException(Duration timeout, Collection<Informer<?>> missing) {
		super(message(timeout, missing), action(missing));
	}

	private static String message(Duration timeout, Collection<Informer<?>> missing) {
		StringBuilder message = new StringBuilder("Informers that are not synced after %s:"
			.formatted(DurationStyle.SIMPLE.print(timeout, unit(timeout))));
		for (Informer<?> informer : missing) {
			InformerStatus status = informer.status();
			message.append("%n  '%s' is %s".formatted(informer.id(), status.state()));
			if (status.lastError() != null) {
				message.append(": ").append(status.lastError().message());
			}
		}
		return message.toString();
	}

	private static ChronoUnit unit(Duration timeout) {
		return (timeout.toMillisPart() == 0) ? ChronoUnit.SECONDS : ChronoUnit.MILLIS;
	}

	private static String action(Collection<Informer<?>> missing) {
		StringBuilder action = new StringBuilder();
		for (Informer<?> informer : missing) {
			for (RequiredRbac rule : informer.status().requiredRbac()) {
				action.append("Grant a %s.%n".formatted(rule));
			}
		}
		return action
			.append("Raise 'kubernetes.informers.startup.timeout', or set "
					+ "'kubernetes.informers.startup.wait-for-sync=false' and let readiness wait.")
			.toString();
	}

}
