package dev.kubeinformer.internal.dispatch;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;

/**
 * Number of the events that a close dropped. They are counted under the queue's lock, and
 * reported outside of it.
 */
final class DroppedEvents {

	private final IntConsumer report;

	private final AtomicInteger unreported = new AtomicInteger();

	private long count;

	/**
	 * Creates a count of no events.
	 * @param report called with the number of events that were dropped since its last
	 * call
	 */
	DroppedEvents(IntConsumer report) {
		this.report = report;
	}

	void add(int events) {
		this.count += events;
		this.unreported.addAndGet(events);
	}

	long count() {
		return this.count;
	}

	/**
	 * Reports what was not reported before. Called outside of locks.
	 */
	void report() {
		int events = this.unreported.getAndSet(0);
		if (events > 0) {
			this.report.accept(events);
		}
	}

}
