package dev.kubeinformer.benchmark.compare.client;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;

import com.sun.management.OperatingSystemMXBean;

/** CPU time and memory of this process. */
public final class ProcessMeter {

	private static final Path STATUS = Path.of("/proc/self/status");

	private final OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);

	/**
	 * Returns the CPU time of all threads.
	 * @return the time in nanoseconds
	 */
	public long cpu() {
		return this.system.getProcessCpuTime();
	}

	/**
	 * Returns the highest memory of the process so far.
	 * @return the number of bytes; 0 if the operating system does not report it
	 * @throws IOException if it cannot be read
	 */
	public long peakMemory() throws IOException {
		if (!Files.isReadable(STATUS)) {
			return 0;
		}
		return Files.readAllLines(STATUS)
			.stream()
			.filter((line) -> line.startsWith("VmHWM:"))
			.mapToLong((line) -> Long.parseLong(line.replaceAll("\\D", "")) * 1024)
			.findFirst()
			.orElse(0);
	}

}
