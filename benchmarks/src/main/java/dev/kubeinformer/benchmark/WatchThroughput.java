package dev.kubeinformer.benchmark;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.ThreadMXBean;
import io.kubernetes.client.openapi.models.V1Pod;

import dev.kubeinformer.Informers;
import dev.kubeinformer.handler.HandlerOptions;
import dev.kubeinformer.handler.HandlerRegistration;
import dev.kubeinformer.informer.Informer;

/**
 * Measures a watch event from the bytes on the socket to the handler: the number a
 * second, the latency, and the CPU time. The server is a separate process that sends
 * bytes encoded before.
 */
public final class WatchThroughput {

	private static final long LONGEST = TimeUnit.MINUTES.toNanos(5);

	private WatchThroughput() {
	}

	/**
	 * Warms up, sends events as fast as possible, and then at a rate.
	 * @param arguments the number of pods (5000), {@code large} or {@code small}, the
	 * events of a run (200000), the rate (5000) and the workers of the handler (1)
	 * @throws Exception if something fails
	 */
	public static void main(String... arguments) throws Exception {
		int pods = (arguments.length > 0) ? Integer.parseInt(arguments[0]) : 5_000;
		String size = (arguments.length > 1) ? arguments[1] : "large";
		int events = (arguments.length > 2) ? Integer.parseInt(arguments[2]) : 200_000;
		int rate = (arguments.length > 3) ? Integer.parseInt(arguments[3]) : 5_000;
		int workers = (arguments.length > 4) ? Integer.parseInt(arguments[4]) : 1;
		try (RawApiProcess api = new RawApiProcess(pods, size);
				Informers informers = Informers.builder(api.client()).build()) {
			Informer<V1Pod> informer = informers.informer(V1Pod.class);
			Latencies latencies = new Latencies(events);
			HandlerRegistration handler = informer.addHandler((event) -> {
				if (!event.initial()) {
					latencies.handled(event.object());
				}
			}, HandlerOptions.defaults().withConcurrency(workers).withQueueCapacity(Integer.MAX_VALUE));
			informers.start();
			if (!handler.awaitSync(Duration.ofMinutes(5))) {
				throw new IllegalStateException("No sync");
			}
			System.out.printf("%d %s pods, %d workers%n", pods, size, workers);
			run(api, latencies, events, 0, "warm-up");
			for (int i = 0; i < 3; i++) {
				run(api, latencies, events, 0, "as fast as possible");
			}
			for (int i = 0; i < 2; i++) {
				run(api, latencies, Math.min(events, rate * 10), rate, "at " + rate + "/s");
			}
		}
	}

	private static void run(RawApiProcess api, Latencies latencies, int events, int rate, String name)
			throws IOException {
		OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
		latencies.reset();
		long cpu = system.getProcessCpuTime();
		long allocated = allocated();
		long start = System.nanoTime();
		api.send(events, rate);
		while (latencies.count() < events) {
			if (System.nanoTime() - start > LONGEST) {
				throw new IllegalStateException("Only %d of %d events came".formatted(latencies.count(), events));
			}
			LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
		}
		long nanos = System.nanoTime() - start;
		cpu = system.getProcessCpuTime() - cpu;
		allocated = allocated() - allocated;
		System.out.printf("%-20s %,8d events/s, %6.1f us CPU and %,6d bytes an event%s%n", name,
				events * 1_000_000_000L / nanos, cpu / 1e3 / events, allocated / events,
				(rate > 0) ? ", " + latencies : "");
	}

	private static long allocated() {
		ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
		return Arrays.stream(threads.getThreadAllocatedBytes(threads.getAllThreadIds())).sum();
	}

	/** Latencies of events. */
	private static final class Latencies {

		private final long[] nanos;

		private final AtomicInteger next = new AtomicInteger();

		private final AtomicInteger count = new AtomicInteger();

		Latencies(int events) {
			this.nanos = new long[events];
		}

		void handled(V1Pod pod) {
			long sent = Long.parseLong(pod.getMetadata().getAnnotations().get(RawApi.SENT));
			this.nanos[this.next.getAndIncrement()] = System.nanoTime() - sent;
			this.count.incrementAndGet();
		}

		int count() {
			return this.count.get();
		}

		void reset() {
			this.next.set(0);
			this.count.set(0);
		}

		private double millis(double share) {
			long[] sorted = Arrays.copyOf(this.nanos, this.count.get());
			Arrays.sort(sorted);
			return sorted[(int) Math.min(sorted.length - 1, sorted.length * share)] / 1e6;
		}

		@Override
		public String toString() {
			return "p50 %.2f ms, p99 %.2f ms, p99.9 %.2f ms, most %.2f ms".formatted(millis(0.5), millis(0.99),
					millis(0.999), millis(1));
		}

	}

}
