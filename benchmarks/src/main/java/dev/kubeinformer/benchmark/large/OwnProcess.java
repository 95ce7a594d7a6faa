package dev.kubeinformer.benchmark.large;

import java.io.IOException;
import java.lang.management.ManagementFactory;

import dev.kubeinformer.benchmark.compare.client.ProcessMeter;

/** Memory and CPU time of this process. */
final class OwnProcess {

	private static final int COLLECTIONS = 3;

	private OwnProcess() {
	}

	/**
	 * Returns the heap in use after full collections. Several are needed, because one
	 * frees the objects that the previous one made unreachable by clearing references.
	 * @return the bytes
	 */
	static long live() {
		for (int i = 1; i < COLLECTIONS; i++) {
			System.gc();
		}
		return liveNow();
	}

	/**
	 * Returns the heap in use after one full collection.
	 * @return the bytes
	 */
	static long liveNow() {
		System.gc();
		return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
	}

	/**
	 * Returns the CPU time of all threads.
	 * @return the time in seconds
	 */
	static double cpu() {
		return new ProcessMeter().cpu() / 1e9;
	}

	/**
	 * Returns the highest memory of the process so far.
	 * @return the number of bytes; 0 if the operating system does not report it
	 * @throws IOException if it cannot be read
	 */
	static long peakMemory() throws IOException {
		return new ProcessMeter().peakMemory();
	}

}
