package dev.kubeinformer.benchmark.events;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.util.Config;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;

import dev.kubeinformer.Informers;
import dev.kubeinformer.benchmark.events.ThreadTimes.Kind;
import dev.kubeinformer.handler.HandlerOptions;
import dev.kubeinformer.handler.HandlerRegistration;
import dev.kubeinformer.handler.ResourceEvent;
import dev.kubeinformer.spring.handler.InformerHandlerRegistry;

/**
 * Measures the changes of a real API server in a JVM that has just synced, second by
 * second: events, CPU time by kinds of threads, and the latency of events. Meanwhile
 * another program changes the pods, and writes the time into the annotation {@code
 * bench/t}, by the monotonic clock that all processes of a machine share. Arguments: a
 * kubeconfig, the number of seconds (25), {@code engine} or {@code spring} (with
 * observations).
 */
public final class LiveEvents {

	private static final Latencies latencies = new Latencies();

	private LiveEvents() {
	}

	/**
	 * Runs the measurement and prints the result.
	 * @param args the arguments
	 * @throws Exception if something fails
	 */
	public static void main(String... args) throws Exception {
		Path kubeconfig = Path.of(args[0]);
		int seconds = (args.length > 1) ? Integer.parseInt(args[1]) : 25;
		if (args.length > 2 && args[2].equals("spring")) {
			spring(kubeconfig, seconds);
		}
		else {
			engine(kubeconfig, seconds);
		}
	}

	private static void engine(Path kubeconfig, int seconds) throws Exception {
		try (Informers informers = Informers.builder(Config.fromConfig(Files.newBufferedReader(kubeconfig))).build()) {
			HandlerRegistration handler = informers.informer(V1Pod.class).addHandler((event) -> {
				if (event.type() == ResourceEvent.Type.UPDATE) {
					handled(event.object());
				}
			}, HandlerOptions.defaults().withId("live"));
			informers.start();
			measure(handler::hasSynced, seconds);
		}
	}

	private static void spring(Path kubeconfig, int seconds) throws Exception {
		try (var context = new SpringApplicationBuilder(LiveApplication.class).web(WebApplicationType.NONE)
			.run("--kubernetes.client.kubeconfig=" + kubeconfig)) {
			InformerHandlerRegistry handlers = context.getBean(InformerHandlerRegistry.class);
			measure(handlers.get("live")::hasSynced, seconds);
		}
	}

	static void handled(V1Pod pod) {
		latencies.add(pod);
	}

	private static void measure(BooleanSupplier synced, int seconds) throws InterruptedException {
		while (!synced.getAsBoolean()) {
			LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
		}
		Thread meter = new Thread(() -> measure(seconds), "meter");
		meter.start();
		meter.join();
	}

	private static void measure(int seconds) {
		ThreadTimes times = new ThreadTimes();
		List<Second> measured = new ArrayList<>();
		latencies.take();
		long start = System.nanoTime();
		for (int second = 1; second <= seconds; second++) {
			long until = start + TimeUnit.SECONDS.toNanos(second);
			while (until - System.nanoTime() > 0) {
				LockSupport.parkNanos(until - System.nanoTime());
			}
			measured.add(new Second(times.sinceLast(), latencies.take()));
		}
		System.out.println("second  events  cores  " + Arrays.toString(Kind.values()) + " ms  p50, p99, most ms");
		for (int second = 0; second < seconds; second++) {
			print(Integer.toString(second), List.of(measured.get(second)));
		}
		int first = Math.min(12, seconds);
		print("first " + first, measured.subList(0, first));
		if (seconds > 10) {
			print("from 10", measured.subList(10, seconds));
		}
	}

	private static void print(String name, List<Second> seconds) {
		Map<Kind, Long> nanos = new EnumMap<>(Kind.class);
		seconds.forEach((second) -> second.times().forEach((kind, value) -> nanos.merge(kind, value, Long::sum)));
		long[] sorted = seconds.stream()
			.flatMapToLong((second) -> Arrays.stream(second.latencies()))
			.sorted()
			.toArray();
		long all = nanos.values().stream().mapToLong(Long::longValue).sum() - nanos.getOrDefault(Kind.METER, 0L);
		StringBuilder line = new StringBuilder("%-8s %6.0f  %5.3f ".formatted(name,
				sorted.length / (double) seconds.size(), all / 1e9 / seconds.size()));
		nanos.values().forEach((value) -> line.append(" %6.1f".formatted(value / 1e6 / seconds.size())));
		if (sorted.length > 0) {
			line.append("  %6.1f %6.1f %6.1f".formatted(quantile(sorted, 0.5), quantile(sorted, 0.99),
					quantile(sorted, 1)));
		}
		System.out.println(line);
	}

	private static double quantile(long[] sorted, double share) {
		return sorted[(int) Math.ceil(share * sorted.length) - 1] / 1e6;
	}

	/**
	 * Measured second.
	 *
	 * @param times the CPU time, in nanoseconds
	 * @param latencies the latencies of its events, in nanoseconds
	 */
	private record Second(Map<Kind, Long> times, long[] latencies) {

	}

	/** Latencies of events. */
	private static final class Latencies {

		private long[] nanos = new long[4096];

		private int count;

		void add(V1Pod pod) {
			Map<String, String> annotations = pod.getMetadata().getAnnotations();
			String changed = (annotations != null) ? annotations.get("bench/t") : null;
			if (changed != null) {
				add(System.nanoTime() - Long.parseLong(changed));
			}
		}

		private synchronized void add(long latency) {
			if (this.count == this.nanos.length) {
				this.nanos = Arrays.copyOf(this.nanos, 2 * this.count);
			}
			this.nanos[this.count++] = latency;
		}

		synchronized long[] take() {
			long[] taken = Arrays.copyOf(this.nanos, this.count);
			this.count = 0;
			return taken;
		}

	}

}
