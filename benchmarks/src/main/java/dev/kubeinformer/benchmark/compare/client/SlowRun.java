package dev.kubeinformer.benchmark.compare.client;

import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.benchmark.compare.Measure;

/**
 * Two handlers, one of which takes a millisecond for each event, and more changes than it
 * can process.
 */
final class SlowRun {

	private final Setup setup;

	private final Control control;

	SlowRun(Setup setup) {
		this.setup = setup;
		this.control = new Control(setup.control());
	}

	Measurement measure() throws Exception {
		HeapMeter heap = new HeapMeter();
		Changes changes = new Changes(this.setup.objects());
		SlowListener slow = new SlowListener();
		ComparedInformer informer = ComparedInformer.of(this.setup);
		informer.start(this.setup.kubeconfig(), List.of(slow, changes));
		changes.awaitAdds();
		Waiting.until(() -> slow.handled() >= this.setup.objects());
		Waiting.ready(this.control);
		long before = heap.live();
		this.control.rate(this.setup.rate());
		Waiting.pass(this.setup.warmUp());
		WatchRun.Window window = new WatchRun.Window(changes, this.control);
		long handled = slow.handled();
		Waiting.pass(this.setup.window());
		Map<Measure, Double> values = new EnumMap<>(Measure.class);
		double slowEvents = slow.handled() - handled;
		window.end(values);
		this.control.rate(0);
		values.put(Measure.SLOW_EVENTS, slowEvents / this.setup.window().toMillis() * 1000);
		values.put(Measure.GROWTH, (heap.live() - before) / 1e6);
		Waiting.settled(this.control, changes);
		return Measurement.of(values, informer, changes);
	}

	private static final class SlowListener implements ObjectListener {

		private static final Duration TIME = Duration.ofMillis(1);

		private final AtomicLong handled = new AtomicLong();

		@Override
		public void added(long hash) {
			handle();
		}

		@Override
		public void updated(long before, long after, @Nullable Map<String, String> annotations) {
			handle();
		}

		@Override
		public void deleted(long hash) {
			handle();
		}

		private void handle() {
			LockSupport.parkNanos(TIME.toNanos());
			this.handled.incrementAndGet();
		}

		long handled() {
			return this.handled.get();
		}

	}

}
