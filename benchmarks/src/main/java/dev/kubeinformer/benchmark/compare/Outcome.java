package dev.kubeinformer.benchmark.compare;

/** Outcome of a run. */
enum Outcome {

	MEASURED("measured"),

	/** The program does not report its state; its figures count. */
	UNCHECKED("state unknown"),

	OUT_OF_MEMORY("out of memory"),

	TIME_LIMIT("time limit"),

	/** The final state differs from the server's. */
	WRONG_STATE("wrong state"),

	FAILED("failed");

	private final String text;

	Outcome(String text) {
		this.text = text;
	}

	boolean isMeasured() {
		return this == MEASURED || this == UNCHECKED;
	}

	/**
	 * Returns whether something is wrong. A client that needs more memory or time than it
	 * has is a valid result.
	 * @return {@code true} if a comparison with such a run has failed
	 */
	boolean isFailure() {
		return this == WRONG_STATE || this == FAILED;
	}

	@Override
	public String toString() {
		return this.text;
	}

}
