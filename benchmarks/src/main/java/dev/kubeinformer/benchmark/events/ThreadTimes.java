package dev.kubeinformer.benchmark.events;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import com.sun.management.OperatingSystemMXBean;

/**
 * CPU time of this process by kinds of threads, according to Linux. Threads that have
 * ended are among the others.
 */
final class ThreadTimes {

	private static final Path TASKS = Path.of("/proc/self/task");

	private final OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);

	private Map<Kind, Long> last = read();

	/**
	 * Returns the CPU time since the last call, or since the creation of this object.
	 * @return the nanoseconds of each kind
	 */
	Map<Kind, Long> sinceLast() {
		Map<Kind, Long> now = read();
		Map<Kind, Long> used = new EnumMap<>(Kind.class);
		now.forEach((kind, nanos) -> used.put(kind, nanos - this.last.getOrDefault(kind, 0L)));
		this.last = now;
		return used;
	}

	private Map<Kind, Long> read() {
		Map<Kind, Long> times = new EnumMap<>(Kind.class);
		for (Kind kind : Kind.values()) {
			times.put(kind, 0L);
		}
		long all = this.system.getProcessCpuTime();
		try (Stream<Path> tasks = Files.list(TASKS)) {
			tasks.forEach((task) -> add(task, times));
		}
		catch (IOException ex) {
			throw new IllegalStateException("Only Linux has " + TASKS, ex);
		}
		long known = times.values().stream().mapToLong(Long::longValue).sum();
		times.merge(Kind.OTHERS, all - known, Long::sum);
		return times;
	}

	private static void add(Path task, Map<Kind, Long> times) {
		try {
			String name = Files.readString(task.resolve("comm")).trim();
			String nanos = Files.readString(task.resolve("schedstat")).split(" ")[0];
			times.merge(Kind.of(name), Long.parseLong(nanos), Long::sum);
		}
		catch (IOException ex) {
			// The thread has ended.
		}
	}

	/** Kind of a thread. */
	enum Kind {

		/** Compilers of the JVM. */
		COMPILERS("C1 Comp", "C2 Comp"),

		/** Collector of the JVM. */
		COLLECTOR("GC Thread", "G1 "),

		/** Other threads of the JVM. */
		JVM("VM ", "Monitor Deflat", "Notification", "Common-Cleaner", "Reference Hand", "Finalizer", "Signal Disp"),

		/** Connections. */
		HTTP("OkHttp"),

		/** Thread that reads events, decodes and stores them. */
		REFLECTOR("informer-pods"),

		/** Thread that calls the handler. */
		HANDLER("informer-live"),

		/** Thread that measures. */
		METER("meter"),

		/** All others, and those that have ended. */
		OTHERS;

		private final List<String> prefixes;

		Kind(String... prefixes) {
			this.prefixes = List.of(prefixes);
		}

		private static Kind of(String name) {
			for (Kind kind : values()) {
				if (kind.prefixes.stream().anyMatch(name::startsWith)) {
					return kind;
				}
			}
			return OTHERS;
		}

	}

}
