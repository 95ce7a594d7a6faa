package dev.kubeinformer.benchmark.compare.client;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

import dev.kubeinformer.benchmark.compare.Measure;
import dev.kubeinformer.benchmark.compare.client.ComparedInformer.ObjectName;

/** One thread reads pods by name, in a random order, while changes arrive. */
final class GetRun {

	private static final int BATCH = 1000;

	private final Setup setup;

	private final Control control;

	GetRun(Setup setup) {
		this.setup = setup;
		this.control = new Control(setup.control());
	}

	Measurement measure() throws Exception {
		Changes changes = new Changes(this.setup.objects());
		ComparedInformer informer = ComparedInformer.of(this.setup);
		informer.start(this.setup.kubeconfig(), List.of(changes));
		changes.awaitAdds();
		Waiting.ready(this.control);
		List<ObjectName> names = new ArrayList<>(informer.cached().stream().map(informer::name).toList());
		Collections.shuffle(names, new Random(1));
		ObjectName[] order = names.toArray(new ObjectName[0]);
		this.control.rate(this.setup.rate());
		read(informer, order, this.setup.warmUp().toNanos());
		WatchRun.Window window = new WatchRun.Window(changes, this.control);
		ThreadMXBean threads = ManagementFactory.getThreadMXBean();
		long cpu = threads.getCurrentThreadCpuTime();
		long begin = System.nanoTime();
		double reads = read(informer, order, this.setup.window().toNanos());
		long nanos = System.nanoTime() - begin;
		Map<Measure, Double> values = new EnumMap<>(Measure.class);
		values.put(Measure.GETS, reads * 1e3 / nanos);
		values.put(Measure.GETS_CORE, reads * 1e3 / (threads.getCurrentThreadCpuTime() - cpu));
		window.end(values);
		this.control.rate(0);
		Waiting.settled(this.control, changes);
		return Measurement.of(values, informer, changes);
	}

	private static long read(ComparedInformer informer, ObjectName[] names, long nanos) {
		long end = System.nanoTime() + nanos;
		int next = 0;
		long reads = 0;
		while (System.nanoTime() - end < 0) {
			for (int i = 0; i < BATCH; i++) {
				if (informer.get(names[next]) == null) {
					throw new IllegalStateException("A pod is missing in the cache");
				}
				next = (next + 1 < names.length) ? next + 1 : 0;
			}
			reads += BATCH;
		}
		return reads;
	}

}
