package dev.kubeinformer.benchmark.shards;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import dev.kubeinformer.benchmark.large.PodMetadataApi;

/**
 * Divides the metadata of many pods over several JVMs with a small heap. The pods come
 * from a server that generates them and sends all to each JVM; the Leases are those of a
 * real cluster. Arguments: the kubeconfig of the cluster, the number of pods (1000000),
 * the number of JVMs (5), their heap (600m), and {@code uniform} or {@code diverse}.
 */
public final class MillionObjects {

	private static final Duration LONGEST = Duration.ofMinutes(15);

	private static final int SLOTS = 64;

	private MillionObjects() {
	}

	/**
	 * Runs the measurement.
	 * @param args see above
	 * @throws IOException if a process cannot be started, or ends
	 * @throws InterruptedException if interrupted
	 */
	public static void main(String... args) throws IOException, InterruptedException {
		if (args.length == 0) {
			throw new IllegalArgumentException("Arguments: kubeconfig [pods] [JVMs] [heap] [uniform|diverse]");
		}
		int pods = Integer.parseInt(argument(args, 1, "1000000"));
		int replicas = Integer.parseInt(argument(args, 2, "5"));
		Process server = new ProcessBuilder(java(), "-Xmx256m", "-XX:+UseSerialGC", "-cp", classPath(),
				PodMetadataApi.class.getName(), Integer.toString(pods), argument(args, 4, "diverse"))
			.redirectError(ProcessBuilder.Redirect.INHERIT)
			.start();
		List<ReplicaJvm> processes = new ArrayList<>();
		try (BufferedReader output = server.inputReader()) {
			String url = "http://localhost:" + output.readLine();
			String group = "million-" + Long.toString(System.currentTimeMillis(), Character.MAX_RADIX);
			Path out = Files.createTempDirectory(group);
			for (int i = 1; i <= replicas; i++) {
				String name = "replica-" + i;
				Path journal = out.resolve(name + ".journal");
				processes.add(new ReplicaJvm(name,
						List.of(java(), "-Xmx" + argument(args, 3, "600m"), "-cp", classPath(),
								ShardReplica.class.getName(), args[0], group, name, Integer.toString(SLOTS),
								journal.toString(), "metadata=" + url, "settle=PT20S"),
						journal, out.resolve(name + ".log")));
			}
			measure(processes, pods);
		}
		finally {
			processes.forEach(ReplicaJvm::close);
			server.destroy();
			server.onExit().join();
		}
	}

	private static void measure(List<ReplicaJvm> processes, int pods) throws IOException, InterruptedException {
		long begin = System.nanoTime();
		while (true) {
			int cached = 0;
			int handled = 0;
			for (ReplicaJvm process : processes) {
				ReplicaJvm.State state = process.state(false);
				cached += state.cached();
				handled += state.handled();
			}
			if (cached == pods && handled == pods) {
				break;
			}
			if (System.nanoTime() - begin > LONGEST.toNanos()) {
				throw new IllegalStateException("%d of %d objects are cached, %d are handled".formatted(cached, pods, handled));
			}
			TimeUnit.SECONDS.sleep(1);
		}
		System.out.printf("%d objects after %.1f s%n", pods, (System.nanoTime() - begin) / 1e9);
		for (ReplicaJvm process : processes) {
			ReplicaJvm.State state = process.state(true);
			System.out.printf("%s: %d slots, %d objects, heap %.1f MB, %.1f s of CPU%n", process.name(), state.slots(),
					state.cached(), state.heap() / 1e6, process.cpu());
		}
	}

	private static String java() {
		return Path.of(System.getProperty("java.home"), "bin", "java").toString();
	}

	private static String classPath() {
		return System.getProperty("java.class.path");
	}

	private static String argument(String[] args, int index, String fallback) {
		return (args.length > index) ? args[index] : fallback;
	}

}
