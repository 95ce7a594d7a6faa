package dev.kubeinformer.benchmark.compare.client;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;

import com.sun.management.OperatingSystemMXBean;

/**
 * The processor time and the memory of this process.
 */
public final class ProcessMeter {

	private static final Path STATUS = Path.of("/proc/self/status");

	private final OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);

	/**
	 * The processor time of all threads.
	 * @return nanoseconds
	 */
	public long cpu() {
		return this.system.getProcessCpuTime();
	}

	/**
	 * The most memory that the process ever had.
	 * @return bytes; 0 where the system does not report it
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
