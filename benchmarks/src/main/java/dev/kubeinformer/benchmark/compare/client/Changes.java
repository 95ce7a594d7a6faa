package dev.kubeinformer.benchmark.compare.client;

import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.benchmark.compare.ObjectsState;

/**
 * Counts the deliveries to a handler, and measures the latency of the replaying server's
 * changes.
 */
final class Changes implements ObjectListener {

	/** Annotation in which the server notes when a change was due. */
	static final String STAMP = "bench/t";

	private final CountDownLatch adds;

	private final AtomicLong updates = new AtomicLong();

	private final LongAdder objects = new LongAdder();

	private final LongAdder digest = new LongAdder();

	private volatile @Nullable Latencies latencies;

	private volatile Moment latest = new Moment(0, 0);

	Changes(int objects) {
		this.adds = new CountDownLatch(objects);
	}

	@Override
	public void added(long hash) {
		this.objects.increment();
		this.digest.add(hash);
		this.adds.countDown();
	}

	@Override
	public void updated(long before, long after, @Nullable Map<String, String> annotations) {
		long now = System.nanoTime();
		this.updates.incrementAndGet();
		this.digest.add(after - before);
		String stamp = (annotations != null) ? annotations.get(STAMP) : null;
		if (stamp == null) {
			return;
		}
		long due = Long.parseLong(stamp);
		if (due > this.latest.due()) {
			this.latest = new Moment(due, now);
		}
		Latencies recorded = this.latencies;
		if (recorded != null) {
			recorded.add(now - due);
		}
	}

	@Override
	public void deleted(long hash) {
		this.objects.decrement();
		this.digest.add(-hash);
	}

	/**
	 * Returns the state that the handler knows from its deliveries so far.
	 * @return the state
	 */
	ObjectsState state() {
		return new ObjectsState(this.objects.sum(), this.digest.sum());
	}

	void awaitAdds() throws InterruptedException {
		this.adds.await();
	}

	long updates() {
		return this.updates.get();
	}

	Moment latest() {
		return this.latest;
	}

	void record(@Nullable Latencies recorded) {
		this.latencies = recorded;
	}

	/**
	 * Two values of {@link System#nanoTime()}, which the JVMs of a machine share on
	 * Linux.
	 *
	 * @param due the time at which the server wanted to send a change
	 * @param delivered the time at which the change was delivered to the handler
	 */
	record Moment(long due, long delivered) {
	}

}
