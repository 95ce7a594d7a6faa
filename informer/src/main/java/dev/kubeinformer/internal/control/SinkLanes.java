package dev.kubeinformer.internal.control;

import dev.kubeinformer.controller.QueueLane;
import dev.kubeinformer.internal.store.Delta;
import dev.kubeinformer.internal.store.QuarantineChange;

/**
 * Lanes of changes: what a first list brings waits behind what happens.
 */
final class SinkLanes {

	private SinkLanes() {
	}

	static QueueLane of(Delta<?> delta) {
		return (delta.initial() || delta.firstList()) ? QueueLane.INITIAL : QueueLane.LIVE;
	}

	static QueueLane of(QuarantineChange<?> change) {
		return change.firstList() ? QueueLane.INITIAL : QueueLane.LIVE;
	}

}
