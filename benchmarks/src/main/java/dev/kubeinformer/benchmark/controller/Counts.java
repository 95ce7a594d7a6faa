package dev.kubeinformer.benchmark.controller;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Counts the actions of a program of the comparison. It responds to lines of the standard
 * input: {@code status} with these counts, {@code report} also with the heap in use after
 * full collections.
 */
final class Counts {

	private static final int COLLECTIONS = 4;

	private final AtomicLong reconciles = new AtomicLong();

	private final AtomicLong failures = new AtomicLong();

	private final AtomicLong writes = new AtomicLong();

	private final AtomicLong lastWrite = new AtomicLong();

	void reconciled() {
		this.reconciles.incrementAndGet();
	}

	void failed() {
		this.failures.incrementAndGet();
	}

	void written() {
		this.writes.incrementAndGet();
		this.lastWrite.set(System.currentTimeMillis());
	}

	void answer() throws IOException {
		BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
		for (String line = input.readLine(); line != null; line = input.readLine()) {
			long heap = line.equals("report") ? heap() : 0;
			System.out.println(new Status(this.reconciles.get(), this.failures.get(), this.writes.get(),
					this.lastWrite.get(), heap)
				.line());
		}
	}

	private static long heap() {
		for (int i = 0; i < COLLECTIONS; i++) {
			System.gc();
		}
		return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
	}

}
