package dev.kubeinformer.benchmark.startup;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

/**
 * Resources that an idle process takes from its machine.
 *
 * @param threads the number of live threads
 * @param heap the bytes of the heap in use after full collections
 * @param rss the bytes of resident memory
 */
record Footprint(int threads, long heap, long rss) {

	private static final Pattern LINE = Pattern.compile("^FOOTPRINT (\\d+) (\\d+) (\\d+)$", Pattern.MULTILINE);

	private static final Pattern RSS = Pattern.compile("VmRSS:\\s+(\\d+) kB");

	private static final int COLLECTIONS = 3;

	/** Makes this process print its footprint for each line of its standard input. */
	static void printWhenAsked() {
		Thread thread = new Thread(() -> {
			try {
				while (System.in.read() >= 0) {
					System.out.println(of());
				}
			}
			catch (IOException | InterruptedException ex) {
				ex.printStackTrace();
			}
		}, "footprint");
		thread.setDaemon(true);
		thread.start();
	}

	private static String of() throws IOException, InterruptedException {
		// Read the memory before the collection, because that is the memory that the
		// machine provides.
		Matcher rss = RSS.matcher(Files.readString(Path.of("/proc/self/status")));
		long memory = rss.find() ? Long.parseLong(rss.group(1)) * 1024 : 0;
		MemoryMXBean heap = ManagementFactory.getMemoryMXBean();
		for (int i = 0; i < COLLECTIONS; i++) {
			System.gc();
			Thread.sleep(100);
		}
		int threads = ManagementFactory.getThreadMXBean().getThreadCount();
		System.out.println(Arrays.stream(ManagementFactory.getThreadMXBean().dumpAllThreads(false, false))
			.map((each) -> each.getThreadName())
			.sorted()
			.collect(Collectors.joining(", ", "THREADS ", "")));
		return "FOOTPRINT %d %d %d".formatted(threads, heap.getHeapMemoryUsage().getUsed(), memory);
	}

	/**
	 * Reads the last footprint that a process has printed.
	 * @param output the output of the process
	 * @return the footprint; {@code null} if there is none yet
	 */
	static @Nullable Footprint read(String output) {
		Matcher line = LINE.matcher(output);
		@Nullable Footprint last = null;
		while (line.find()) {
			last = new Footprint(Integer.parseInt(line.group(1)), Long.parseLong(line.group(2)),
					Long.parseLong(line.group(3)));
		}
		return last;
	}

}
