package dev.kubeinformer.spring.inject;

import java.time.Duration;
import java.time.temporal.ChronoUnit;

import org.springframework.boot.convert.DurationStyle;

import dev.kubeinformer.informer.Informer;
import dev.kubeinformer.informer.InformerError;
import dev.kubeinformer.informer.InformerStatus;
import dev.kubeinformer.spring.shard.UnsettledGroup;

/**
 * Texts about a cache that is not filled. Internal to the starter.
 */
public final class UnfilledCache {

	private UnfilledCache() {
	}

	/**
	 * Describes the cause by the state and the last error of the informer.
	 * @param informer the informer
	 * @return the description, without contents of objects
	 */
	public static String describe(Informer<?> informer) {
		InformerStatus status = informer.status();
		StringBuilder text = new StringBuilder("'%s' is %s".formatted(informer.id(), status.state()));
		UnsettledGroup group = UnsettledGroup.of(informer);
		if (group != null) {
			return text.append(": ").append(group.describe()).toString();
		}
		InformerError error = status.lastError();
		if (error != null) {
			text.append(": ")
				.append((error.httpStatus() != null) ? "HTTP %d: ".formatted(error.httpStatus()) : "")
				.append(error.message());
		}
		return text.toString();
	}

	/**
	 * Prints the time limit of a wait.
	 * @param timeout the time limit
	 * @return the text, such as {@code 10s}
	 */
	public static String print(Duration timeout) {
		return DurationStyle.SIMPLE.print(timeout,
				(timeout.toMillisPart() == 0) ? ChronoUnit.SECONDS : ChronoUnit.MILLIS);
	}

}
