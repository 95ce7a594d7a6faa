package dev.kubeinformer.benchmark;

import java.util.Locale;
import java.util.Random;

/**
 * Measures one random read of memory, by the size of the memory: reads in a chain, where
 * each returns the address of the next, and independent reads, which a CPU executes in
 * parallel. A read by name cannot be faster than the chained reads that it needs.
 */
public final class ReadFloor {

	private static final int LINE = 16;

	private static final int STEPS = 2_000_000;

	private static final int ROUNDS = 7;

	private static volatile int result;

	private ReadFloor() {
	}

	/**
	 * Runs the measurement.
	 * @param arguments the sizes in MB (1 2 4 8 16 32 64 128)
	 */
	public static void main(String... arguments) {
		String[] sizes = (arguments.length > 0) ? arguments : "1 2 4 8 16 32 64 128".split(" ");
		for (String size : sizes) {
			measure(Integer.parseInt(size));
		}
	}

	private static void measure(int size) {
		int lines = (size << 20) / Integer.BYTES / LINE;
		int[] memory = circle(lines);
		int[] places = new Random(2).ints(1 << 16, 0, lines).map((line) -> line * LINE).toArray();
		double dependent = Double.MAX_VALUE;
		double independent = Double.MAX_VALUE;
		for (int round = 0; round < ROUNDS; round++) {
			long start = System.nanoTime();
			int place = 0;
			for (int i = 0; i < STEPS; i++) {
				place = memory[place];
			}
			result = place;
			dependent = Math.min(dependent, (double) (System.nanoTime() - start) / STEPS);
			start = System.nanoTime();
			int sum = 0;
			for (int i = 0; i < STEPS; i++) {
				sum += memory[places[i & (places.length - 1)]];
			}
			result = sum;
			independent = Math.min(independent, (double) (System.nanoTime() - start) / STEPS);
		}
		System.out.printf(Locale.ROOT, "%4d MB: one after the other %.1f ns, together %.1f ns%n", size, dependent,
				independent);
	}

	// Visits all lines of the memory and returns to the first one.
	private static int[] circle(int lines) {
		int[] order = new int[lines];
		Random random = new Random(1);
		for (int i = 0; i < lines; i++) {
			order[i] = i;
		}
		for (int i = lines - 1; i > 0; i--) {
			int other = random.nextInt(i);
			int line = order[i];
			order[i] = order[other];
			order[other] = line;
		}
		int[] memory = new int[lines * LINE];
		for (int i = 0; i < lines; i++) {
			memory[order[i] * LINE] = order[(i + 1) % lines] * LINE;
		}
		return memory;
	}

}
