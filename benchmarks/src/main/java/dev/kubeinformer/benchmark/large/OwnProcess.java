package dev.kubeinformer.benchmark.large;

import java.io.IOException;
import java.lang.management.ManagementFactory;

import dev.kubeinformer.benchmark.compare.client.ProcessMeter;

/**
 * Memory and processor time of this process.
 */
final class OwnProcess {

	private static final int COLLECTIONS = 3;

	private OwnProcess() {
	}

	/**
	 * What is in use after full collections: several, because what is freed by clearing
	 * references goes with the next.
	 * @return the bytes
	 */
	static long live() {
		for (int i = 1; i < COLLECTIONS; i++) {
			System.gc();
		}
		return liveNow();
	}

	/**
	 * What is in use after one full collection.
	 * @return the bytes
	 */
	static long liveNow() {
		System.gc();
		return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
	}

	/**
	 * The processor time of all threads.
	 * @return seconds
	 */
	static double cpu() {
		return new ProcessMeter().cpu() / 1e9;
	}

	/**
	 * The most memory that the process ever had.
	 * @return bytes; 0 where the system does not report it
	 * @throws IOException if it cannot be read
	 */
	static long peakMemory() throws IOException {
		return new ProcessMeter().peakMemory();
	}

}
