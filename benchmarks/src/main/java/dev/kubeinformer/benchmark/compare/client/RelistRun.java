package dev.kubeinformer.benchmark.compare.client;

import java.time.Duration;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import dev.kubeinformer.benchmark.compare.Measure;
import dev.kubeinformer.benchmark.compare.client.Changes.Moment;

/**
 * Three relists of unchanged objects. The first measures time, callbacks and the heap
 * afterwards; the second compares instances; during the third, repeated full collections
 * show the live heap. Each ends with a change of one pod, which is not counted.
 */
final class RelistRun {

	private final Setup setup;

	private final Control control;

	private final Changes changes;

	private final HeapMeter heap = new HeapMeter();

	RelistRun(Setup setup) {
		this.setup = setup;
		this.control = new Control(setup.control());
		this.changes = new Changes(setup.objects());
	}

	Measurement measure() throws Exception {
		ComparedInformer informer = ComparedInformer.of(this.setup);
		informer.start(this.setup.kubeconfig(), List.of(this.changes));
		this.changes.awaitAdds();
		Waiting.ready(this.control);
		Map<Measure, Double> values = new EnumMap<>(Measure.class);
		time(values);
		values.put(Measure.NEW_INSTANCES, newInstances(informer));
		values.put(Measure.EXTRA_LIVE, extraLive());
		Waiting.settled(this.control, this.changes);
		return Measurement.of(values, informer, this.changes);
	}

	private void time(Map<Measure, Double> values) {
		long before = this.heap.live();
		long delivered = this.changes.updates();
		long begin = System.nanoTime();
		Moment next = relist();
		values.put(Measure.RELIST_TIME, (next.delivered() - begin) / 1e6);
		values.put(Measure.RELIST_LIST, (next.delivered() - this.control.listed()) / 1e6);
		Waiting.quiet(this.changes);
		values.put(Measure.CALLBACKS, (double) (this.changes.updates() - delivered - 1));
		values.put(Measure.EXTRA_AFTER, percent(this.heap.live(), before));
	}

	private Moment relist() {
		long before = this.changes.latest().due();
		this.control.expire();
		Waiting.until(() -> this.changes.latest().due() > before);
		return this.changes.latest();
	}

	private double newInstances(ComparedInformer informer) {
		Collection<?> before = informer.cached();
		Set<Object> known = Collections.newSetFromMap(new IdentityHashMap<>());
		known.addAll(before);
		relist();
		Waiting.quiet(this.changes);
		// Do not count the change at the end, which does not belong to the list.
		return informer.cached().stream().filter((pod) -> !known.contains(pod)).count() - 1;
	}

	private double extraLive() {
		long before = this.heap.live();
		LivePeak peak = new LivePeak(this.heap);
		peak.start();
		relist();
		return percent(peak.end(), before);
	}

	private static double percent(long now, long before) {
		return (now - before) * 100.0 / before;
	}

	/** Runs collections repeatedly, and records the highest live heap. */
	private static final class LivePeak extends Thread {

		private static final Duration PAUSE = Duration.ofMillis(50);

		private final HeapMeter heap;

		private volatile boolean ended;

		private volatile long most;

		LivePeak(HeapMeter heap) {
			super("live-peak");
			this.heap = heap;
		}

		@Override
		public void run() {
			while (!this.ended) {
				long begin = System.nanoTime();
				this.most = Math.max(this.most, this.heap.liveNow());
				// A collection stops the client, which needs time to make progress in
				// between.
				Waiting.pass(Duration.ofNanos(Math.max(PAUSE.toNanos(), 2 * (System.nanoTime() - begin))));
			}
		}

		long end() {
			this.ended = true;
			Waiting.until(() -> !isAlive());
			return this.most;
		}

	}

}
