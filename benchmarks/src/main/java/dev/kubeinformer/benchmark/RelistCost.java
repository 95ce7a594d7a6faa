package dev.kubeinformer.benchmark;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.ThreadMXBean;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.models.V1Pod;

import dev.kubeinformer.Informers;
import dev.kubeinformer.informer.Informer;
import dev.kubeinformer.informer.InformerListener;
import dev.kubeinformer.types.ListReason;

/**
 * Measures a relist of unchanged objects, compared with the first list: CPU time of the
 * process, and allocations of its threads. First in a fresh JVM, then with another
 * informer in the same JVM.
 */
public final class RelistCost {

	private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();

	private final OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);

	private final AtomicInteger lists = new AtomicInteger();

	private final OutputStream server;

	private final ApiClient client = new ApiClient();

	private long cpuOfFirst;

	private long allocatedByFirst;

	private RelistCost(Process server) throws IOException {
		this.server = server.getOutputStream();
		this.client.setBasePath("http://localhost:"
				+ new BufferedReader(new InputStreamReader(server.getInputStream(), StandardCharsets.UTF_8))
					.readLine());
	}

	/**
	 * Runs the measurement.
	 * @param arguments the number of pods (200000), the encoding ({@code protobuf} or
	 * {@code json}), {@code gzip} or {@code plain}, the number of relists (3) and of
	 * consecutive informers (2); 0 only writes the file with the list
	 * @throws Exception if something fails
	 */
	public static void main(String... arguments) throws Exception {
		int pods = (arguments.length > 0) ? Integer.parseInt(arguments[0]) : 200_000;
		String encoding = (arguments.length > 1) ? arguments[1] : "protobuf";
		String compression = (arguments.length > 2) ? arguments[2] : "gzip";
		int relists = (arguments.length > 3) ? Integer.parseInt(arguments[3]) : 3;
		int informers = (arguments.length > 4) ? Integer.parseInt(arguments[4]) : 2;
		Path file = ListReplay.file(pods, encoding);
		Process server = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-cp",
				System.getProperty("java.class.path"), ListReplay.class.getName(), file.toString(), encoding,
				compression)
			.redirectError(ProcessBuilder.Redirect.INHERIT)
			.start();
		try {
			RelistCost cost = new RelistCost(server);
			for (int i = 0; i < informers; i++) {
				cost.measure((i == 0) ? "cold" : "warm", pods, relists);
			}
		}
		finally {
			server.destroy();
			server.waitFor();
		}
	}

	private void measure(String jvm, int pods, int relists) throws Exception {
		try (Informers informers = Informers.builder(this.client).build()) {
			Informer<V1Pod> informer = informers.informer(V1Pod.class);
			informers.addListener(new InformerListener() {

				@Override
				public void listed(Informer<?> listed, ListReason reason, int objects, Duration duration) {
					RelistCost.this.lists.incrementAndGet();
				}

			});
			cost(jvm + " first list", informers::start);
			List<V1Pod> before = informer.lister().list();
			if (before.size() != pods) {
				throw new IllegalStateException(before.size() + " pods");
			}
			for (int i = 1; i <= relists; i++) {
				cost(jvm + " relist " + i, this::expire);
			}
			long same = before.stream()
				.filter((pod) -> informer.snapshot()
					.get(pod.getMetadata().getNamespace(), pod.getMetadata().getName()) == pod)
				.count();
			System.out.printf("%d of %d instances are the same%n", same, informer.snapshot().size());
		}
	}

	private void expire() {
		try {
			this.server.write('\n');
			this.server.flush();
		}
		catch (IOException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private void cost(String name, Runnable action) {
		System.gc();
		int listed = this.lists.get();
		long allocated = allocated();
		long cpu = this.system.getProcessCpuTime();
		action.run();
		while (this.lists.get() == listed) {
			LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
		}
		long cpuUsed = this.system.getProcessCpuTime() - cpu;
		long allocatedBy = allocated() - allocated;
		if (name.contains("first")) {
			this.cpuOfFirst = cpuUsed;
			this.allocatedByFirst = allocatedBy;
		}
		System.out.printf(Locale.ROOT, "%-16s cpu %6.2f s (%5.1f %%)   allocated %8.1f MB (%5.1f %%)%n", name,
				cpuUsed / 1e9, cpuUsed * 100.0 / this.cpuOfFirst, allocatedBy / 1e6,
				allocatedBy * 100.0 / this.allocatedByFirst);
	}

	// Allocations of live threads; few threads have ended.
	private long allocated() {
		long sum = 0;
		for (long bytes : this.threads.getThreadAllocatedBytes(this.threads.getAllThreadIds())) {
			sum += Math.max(bytes, 0);
		}
		return sum;
	}

}
