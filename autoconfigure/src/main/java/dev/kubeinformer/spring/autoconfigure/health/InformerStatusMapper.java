package dev.kubeinformer.spring.autoconfigure.health;

import org.springframework.boot.health.contributor.Status;

import dev.kubeinformer.InformerState;
import dev.kubeinformer.InformerStatus;

/**
 * Rules by which the state of an informer becomes a health status.
 */
final class InformerStatusMapper {

	private InformerStatusMapper() {
	}

	/**
	 * Status of a cache. One that was filled once stays up when its watch drops: it still
	 * answers, and all instances losing the API server must not leave the load balancer
	 * together.
	 * @param status what the informer is doing
	 * @return the status
	 */
	static Status map(InformerStatus status) {
		if (isOff(status)) {
			return Status.UNKNOWN;
		}
		if (status.synced()) {
			return Status.UP;
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
	static Status map(InformerStatus status, boolean handlerSynced) {
		Status cache = map(status);
		return (cache.equals(Status.UP) && !handlerSynced) ? Status.OUT_OF_SERVICE : cache;
	}

	private static boolean isOff(InformerStatus status) {
		return status.state() == InformerState.NEW || status.state() == InformerState.STOPPED;
	}

}
