package dev.kubeinformer.benchmark.compare;

/**
 * How a run ended.
 */
enum Outcome {

	MEASURED("measured"), OUT_OF_MEMORY("out of memory"), TIME_LIMIT("time limit"), FAILED("failed");

	private final String text;

	Outcome(String text) {
		this.text = text;
	}

	@Override
	public String toString() {
		return this.text;
	}

}
