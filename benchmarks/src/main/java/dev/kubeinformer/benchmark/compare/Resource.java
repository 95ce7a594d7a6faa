package dev.kubeinformer.benchmark.compare;

import java.util.Locale;

import dev.kubeinformer.benchmark.custom.Widgets;

/** Resource of a comparison. */
public enum Resource {

	/** Pods, which API servers send as protobuf on request. */
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
	 * Returns the path of the collection.
	 * @return the path
	 */
	String path() {
		return this.path;
	}

	/**
	 * Returns the name for Go programs.
	 * @return plural, version and group; "pods"
	 */
	String fullName() {
		return this.fullName;
	}

	/**
	 * Returns the plural name.
	 * @return the name in tables
	 */
	String plural() {
		return name().toLowerCase(Locale.ROOT);
	}

}
