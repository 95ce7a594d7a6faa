package dev.kubeinformer.benchmark.compare;

/**
 * How a run ended.
 */
enum Outcome {

	MEASURED("measured"),

	/** Of a program that does not say what it has; its figures count. */
	UNCHECKED("state unknown"),

	OUT_OF_MEMORY("out of memory"),

	TIME_LIMIT("time limit"),

	/** It has another state than the server. */
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
	 * Whether something is wrong. That a client needs more memory or time than it has is
	 * a result.
	 * @return whether a comparison with such a run has failed
	 */
	boolean isFailure() {
		return this == WRONG_STATE || this == FAILED;
	}

	@Override
	public String toString() {
		return this.text;
	}

}
