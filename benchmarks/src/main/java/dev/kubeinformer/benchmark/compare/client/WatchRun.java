package dev.kubeinformer.benchmark.compare.client;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;

import dev.kubeinformer.benchmark.compare.Measure;

/**
 * Changes at a fixed rate. Latency is measured from the time at which a change was due,
 * so that a client cannot improve it by slowing the server.
 */
final class WatchRun {

	private final Setup setup;

	private final Control control;

	WatchRun(Setup setup) {
		this.setup = setup;
		this.control = new Control(setup.control());
	}

	Measurement measure() throws Exception {
		ProcessMeter process = new ProcessMeter();
		Changes changes = new Changes(this.setup.objects());
		ComparedInformer informer = ComparedInformer.of(this.setup);
		informer.start(this.setup.kubeconfig(), List.of(changes));
		changes.awaitAdds();
		Waiting.ready(this.control);
		this.control.rate(this.setup.rate());
		Waiting.pass(this.setup.warmUp());
		Window window = new Window(changes, this.control);
		long cpu = process.cpu();
		Waiting.pass(this.setup.window());
		double used = process.cpu() - cpu;
		Map<Measure, Double> values = new EnumMap<>(Measure.class);
		window.end(values);
		values.put(Measure.CPU_EVENT, used / 1e3 / Math.max(window.delivered(), 1));
		this.control.rate(0);
		Waiting.settled(this.control, changes);
		return Measurement.of(values, informer, changes);
	}

	/** Time during which changes are measured. */
	static final class Window {

		private final Changes changes;

		private final Control control;

		private final Latencies latencies = new Latencies();

		private final long sentBefore;

		private final long deliveredBefore;

		private final long begin;

		private long delivered;

		Window(Changes changes, Control control) {
			this.changes = changes;
			this.control = control;
			this.sentBefore = control.sent();
			this.deliveredBefore = changes.updates();
			this.begin = System.nanoTime();
			changes.record(this.latencies);
		}

		void end(Map<Measure, Double> values) {
			this.changes.record(null);
			this.delivered = this.changes.updates() - this.deliveredBefore;
			double seconds = (System.nanoTime() - this.begin) / 1e9;
			values.put(Measure.SENT, (this.control.sent() - this.sentBefore) / seconds);
			values.put(Measure.EVENTS, this.delivered / seconds);
			values.put(Measure.P50, this.latencies.quantile(0.5));
			values.put(Measure.P99, this.latencies.quantile(0.99));
			values.put(Measure.MAX, this.latencies.quantile(1));
		}

		long delivered() {
			return this.delivered;
		}

	}

}
