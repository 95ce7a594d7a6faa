package dev.kubeinformer.spring.autoconfigure.health;

import java.time.Clock;
import java.time.Duration;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.health.contributor.Status;

import dev.kubeinformer.informer.InformerStatus;
import dev.kubeinformer.types.InformerState;

/**
 * Maps the state of an informer to a health status.
 *
 * @param staleAfter the longest time that a cache may be without a working watch;
 * {@code null} for no limit
 * @param clock the clock
 */
record InformerStatusMapper(@Nullable Duration staleAfter, Clock clock) {

	/**
	 * Returns whether a cache has been without a working watch for too long.
	 * @param status the status of the informer
	 * @return {@code true} if the time limit has passed
	 */
	boolean isTooStale(InformerStatus status) {
		return this.staleAfter != null && status.cache().staleSince() != null
				&& status.cache().staleSince().plus(this.staleAfter).isBefore(this.clock.instant());
	}

	/**
	 * Returns the status of a cache. The cache is up when it has been filled and watched:
	 * without the permission to watch, it would never change. It stays up when the watch
	 * breaks later, unless the user sets a limit. It can still serve reads, and a loss of
	 * the API server must not take all instances out of the load balancer.
	 * @param status the status of the informer
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
	 * Returns the status of a handler that receives the events of a cache.
	 * @param status the status of the informer
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
