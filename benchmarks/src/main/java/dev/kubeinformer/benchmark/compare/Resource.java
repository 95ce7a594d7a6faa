package dev.kubeinformer.benchmark.compare;

import java.util.Locale;

import dev.kubeinformer.benchmark.custom.Widgets;

/**
 * What a comparison is about.
 */
public enum Resource {

	/** Which API servers send as protobuf to those who ask for it. */
	PODS("/api/v1/pods", "pods"),

	/** Custom objects of 3 KB, which are always sent as JSON. */
	WIDGETS(Widgets.PATH, "widgets.v1.bench.example.com");

	private final String path;

	private final String fullName;

	Resource(String path, String fullName) {
		this.path = path;
		this.fullName = fullName;
	}

	/**
	 * The path of all of them.
	 * @return the path
	 */
	String path() {
		return this.path;
	}

	/**
	 * How programs of Go name it.
	 * @return plural, version and group; "pods"
	 */
	String fullName() {
		return this.fullName;
	}

	/**
	 * The plural.
	 * @return the name in tables
	 */
	String plural() {
		return name().toLowerCase(Locale.ROOT);
	}

}
