package dev.kubeinformer.internal.reconcile;

import dev.kubeinformer.controller.QueueLane;
import dev.kubeinformer.internal.workqueue.KeyCause;
import dev.kubeinformer.internal.workqueue.KeyFeed;
import dev.kubeinformer.internal.workqueue.ReconcileLoop;
import dev.kubeinformer.types.ObjectKey;

/**
 * Feeds the queue of a reconciler, and notes what the changes are, so that keys whose
 * runs are caused by writes of this application are found.
 */
public final class LoopFeed implements KeyFeed {

	private final ReconcileLoop loop;

	private final LoopDetector detector;

	/**
	 * Creates the feed.
	 * @param loop the loop with the queue
	 * @param detector notes the changes
	 */
	public LoopFeed(ReconcileLoop loop, LoopDetector detector) {
		this.loop = loop;
		this.detector = detector;
	}

	/**
	 * Queues the keys that were given up, as at a start.
	 */
	public void retryGivenUp() {
		this.loop.retryGivenUp();
	}

	@Override
	public void changed(ObjectKey key, QueueLane lane) {
		this.loop.changed(key, lane);
	}

	@Override
	public void changed(ObjectKey key, QueueLane lane, KeyCause cause) {
		if (this.detector.queued(key, cause)) {
			this.loop.changedAtOnce(key, lane);
		}
		else {
			this.loop.changed(key, lane);
		}
	}

	@Override
	public void deleted(ObjectKey key) {
		this.loop.deleted(key);
	}

	@Override
	public void resync(ObjectKey key) {
		this.loop.resync(key);
	}

	@Override
	public void trigger(ObjectKey key, QueueLane lane) {
		this.loop.trigger(key, lane);
	}

}
