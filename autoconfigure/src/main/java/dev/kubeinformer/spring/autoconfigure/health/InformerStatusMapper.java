package dev.kubeinformer.spring.autoconfigure.health;

import java.time.Clock;
import java.time.Duration;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.health.contributor.Status;

import dev.kubeinformer.informer.InformerStatus;
import dev.kubeinformer.types.InformerState;

/**
 * Rules by which the state of an informer becomes a health status.
 *
 * @param staleAfter how long a cache may be without a working watch, {@code null} for as
 * long as it takes
 * @param clock the clock
 */
record InformerStatusMapper(@Nullable Duration staleAfter, Clock clock) {

	/**
	 * Returns whether a cache has been without a working watch for longer than it may be.
	 * @param status what the informer is doing
	 * @return whether it has
	 */
	boolean isTooStale(InformerStatus status) {
		return this.staleAfter != null && status.cache().staleSince() != null
				&& status.cache().staleSince().plus(this.staleAfter).isBefore(this.clock.instant());
	}

	/**
	 * Status of a cache. It comes up when it is filled and watched: one that may be
	 * listed and not watched would never change. From then on it stays up when its watch
	 * drops: it still answers, and all instances losing the API server must not leave the
	 * load balancer together, unless the user sets a limit.
	 * @param status what the informer is doing
	 * @return the status
	 */
	Status map(InformerStatus status) {
		if (isOff(status)) {
			return Status.UNKNOWN;
		}
		if (status.sync().synced() && status.watch().watchedAt() != null) {
			return isTooStale(status) ? Status.DOWN : Status.UP;
		}
		boolean failing = status.state() == InformerState.FORBIDDEN || status.state() == InformerState.NOT_FOUND
				|| status.lastError() != null;
		return failing ? Status.DOWN : Status.OUT_OF_SERVICE;
	}

	/**
	 * Status of a handler at a cache.
	 * @param status what the informer is doing
	 * @param handlerSynced whether the handler has finished the initial state
	 * @return the status
	 */
	Status map(InformerStatus status, boolean handlerSynced) {
		Status cache = map(status);
		return (cache.equals(Status.UP) && !handlerSynced) ? Status.OUT_OF_SERVICE : cache;
	}

	private static boolean isOff(InformerStatus status) {
		return status.state() == InformerState.NEW || status.state() == InformerState.STOPPED;
	}

}
