package dev.kubeinformer.benchmark.controller;

/**
 * Figure of a run, with its heading in the table.
 */
enum Figure {

	/** Time from the start of the process to the response to its last write. */
	WALL("wall, s", 2),

	/** Writes a second during that time. */
	RATE("writes/s", 0),

	/** CPU time of the process from its start to rest. */
	CPU("CPU, s", 2),

	/** The same for each object. */
	CPU_OBJECT("CPU an object, µs", 0),

	/** Heap in use after collections, at rest. */
	HEAP("heap, MB", 1),

	/** Highest memory of the process. */
	RSS("peak RSS, MB", 0),

	/** Runs of the reconciler. */
	RECONCILES("runs", 0),

	/** Writes that the API server counted. */
	WRITES("writes", 0),

	/** All other requests that the API server counted. */
	READS("lists and watches", 0);

	private final String heading;

	private final int decimals;

	Figure(String heading, int decimals) {
		this.heading = heading;
		this.decimals = decimals;
	}

	String heading() {
		return this.heading;
	}

	int decimals() {
		return this.decimals;
	}

}
