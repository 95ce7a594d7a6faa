package dev.kubeinformer.test;

/**
 * Where the embedded API answers otherwise than a real one, on purpose. Every line stands
 * in docs/testing.md.
 */
enum Difference {

	DEFAULTS("Defaults of fields are not filled in, and objects are not validated.");

	private final String text;

	Difference(String text) {
		this.text = text;
	}

	String text() {
		return this.text;
	}

}
