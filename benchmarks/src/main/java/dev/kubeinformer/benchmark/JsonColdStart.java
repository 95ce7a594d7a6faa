package dev.kubeinformer.benchmark;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

import com.sun.management.OperatingSystemMXBean;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1Pod;

import dev.kubeinformer.internal.codec.DecodedObject;
import dev.kubeinformer.internal.codec.json.JsonCodec;
import dev.kubeinformer.internal.codec.json.JsonMappers;
import dev.kubeinformer.resource.ResourceType;

/**
 * Measures the decoding of a list of pods from JSON in a fresh JVM, and the heap of the
 * objects. Start it separately for each measurement: the argument is the number of pods,
 * or a file with a list as the API server sent it.
 */
public final class JsonColdStart {

	private static final int PASSES = 6;

	private static final int MILLION = 1_000_000;

	private JsonColdStart() {
	}

	/**
	 * Runs the measurement and prints the result.
	 * @param arguments the number of pods, or a file; 20000 by default
	 * @throws IOException if the file cannot be read
	 */
	public static void main(String[] arguments) throws IOException {
		String what = (arguments.length > 0) ? arguments[0] : "20000";
		Path file = what.chars().allMatch(Character::isDigit) ? PodList.write(Integer.parseInt(what)) : Path.of(what);
		OperatingSystemMXBean system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
		ThreadMXBean threads = ManagementFactory.getThreadMXBean();
		long heapBefore = usedHeap();
		long cpu = system.getProcessCpuTime();
		long ownCpu = threads.getCurrentThreadCpuTime();
		long start = System.nanoTime();
		JsonCodec<V1Pod> codec = new JsonCodec<>(ResourceType.of(V1Pod.class), new JsonMappers(false));
		long created = System.nanoTime();
		long createdCpu = threads.getCurrentThreadCpuTime();
		List<V1Pod> pods = new ArrayList<>();
		long[] first = new long[2];
		decode(file, codec, pods, first);
		long decoded = System.nanoTime();
		print("codec after %d ms (CPU %d), first object after %d ms (CPU %d), all %d after %d ms (CPU %d, of all threads %d)",
				(created - start) / MILLION, (createdCpu - ownCpu) / MILLION, (first[0] - start) / MILLION,
				(first[1] - ownCpu) / MILLION, pods.size(), (decoded - start) / MILLION,
				(threads.getCurrentThreadCpuTime() - ownCpu) / MILLION, (system.getProcessCpuTime() - cpu) / MILLION);
		print("retained: %d bytes an object", (usedHeap() - heapBefore) / Math.max(1, pods.size()));
		pods.clear();
		configMap();
		for (int pass = 2; pass <= PASSES; pass++) {
			long before = System.nanoTime();
			long cpuBefore = threads.getCurrentThreadCpuTime();
			decode(file, codec, pods, first);
			print("pass %d: %d ms (CPU %d)", pass, (System.nanoTime() - before) / MILLION,
					(threads.getCurrentThreadCpuTime() - cpuBefore) / MILLION);
			pods.clear();
		}
	}

	private static void decode(Path file, JsonCodec<V1Pod> codec, List<V1Pod> pods, long[] first) throws IOException {
		try (InputStream in = new BufferedInputStream(Files.newInputStream(file))) {
			codec.readList(in, (item) -> {
				if (pods.isEmpty()) {
					first[0] = System.nanoTime();
					first[1] = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
				}
				pods.add(object(item));
			});
		}
	}

	private static V1Pod object(DecodedObject<V1Pod> item) {
		if (item.object() == null) {
			throw new IllegalStateException("'%s' could not be read".formatted(item.metadata().name()));
		}
		return item.object();
	}

	private static void configMap() throws IOException {
		long start = System.nanoTime();
		long cpu = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
		new JsonCodec<>(ResourceType.of(V1ConfigMap.class), new JsonMappers(false))
			.readEvent("{\"type\":\"ADDED\",\"object\":{\"metadata\":{\"name\":\"c\"},\"data\":{\"a\":\"b\"}}}"
				.getBytes(StandardCharsets.UTF_8));
		print("another type's first object: %d ms (CPU %d)", (System.nanoTime() - start) / MILLION,
				(ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - cpu) / MILLION);
	}

	private static long usedHeap() {
		for (int i = 0; i < 3; i++) {
			System.gc();
		}
		return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
	}

	private static void print(String text, Object... values) {
		System.out.println(String.format(Locale.ROOT, text, values));
	}

}
