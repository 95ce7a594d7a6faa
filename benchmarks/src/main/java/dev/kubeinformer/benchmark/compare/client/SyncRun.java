package dev.kubeinformer.benchmark.compare.client;

import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

import org.slf4j.LoggerFactory;

import dev.kubeinformer.benchmark.compare.Measure;

/**
 * Sync from nothing to a full cache, in a JVM that has done nothing else. The time for
 * setting up the measurement itself is excluded.
 */
final class SyncRun {

	private static final double MILLION = 1e6;

	private final Setup setup;

	private final long entered;

	private final double cpuEntered;

	/**
	 * Starts measuring.
	 * @param setup the parameters
	 * @param entered the time in milliseconds at which the program was entered
	 */
	SyncRun(Setup setup, long entered) {
		this.setup = setup;
		this.entered = entered;
		this.cpuEntered = ProcessHandle.current().info().totalCpuDuration().orElse(Duration.ZERO).toNanos();
	}

	Measurement measure() throws Exception {
		// Applications initialise logging before their informers.
		LoggerFactory.getILoggerFactory();
		HeapMeter heap = new HeapMeter();
		ProcessMeter process = new ProcessMeter();
		long baseline = heap.live();
		Changes changes = new Changes(this.setup.objects());
		long cpu = process.cpu();
		long begin = System.nanoTime();
		ComparedInformer informer = ComparedInformer.of(this.setup);
		informer.start(this.setup.kubeconfig(), List.of(changes));
		changes.awaitAdds();
		double wall = (System.nanoTime() - begin) / MILLION;
		double used = process.cpu() - cpu + this.cpuEntered;
		long memory = process.peakMemory();
		long filled = heap.used();
		Map<Measure, Double> values = new EnumMap<>(Measure.class);
		values.put(Measure.WALL, wall);
		values.put(Measure.SINCE_START, wall + this.entered - this.setup.launched());
		values.put(Measure.CPU, used / 1e9);
		values.put(Measure.PEAK_USED, Math.max(filled, heap.peakBefore()) / MILLION);
		values.put(Measure.PEAK_LIVE, heap.peakAfter() / MILLION);
		values.put(Measure.RSS, memory / MILLION);
		values.put(Measure.HEAP, heap.max() / MILLION);
		if (this.setup.changes() > 0) {
			Waiting.until(() -> changes.updates() >= this.setup.changes());
			return Measurement.of(values, informer, changes);
		}
		// The client's work after the last event must not count as retained.
		Waiting.quiet(changes);
		values.put(Measure.RETAINED, (heap.live() - baseline) / MILLION);
		return Measurement.of(values, informer, changes);
	}

}
