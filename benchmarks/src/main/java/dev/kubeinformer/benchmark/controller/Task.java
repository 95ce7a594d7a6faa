package dev.kubeinformer.benchmark.controller;

import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * What a program is to do.
 *
 * @param three whether each object has a Deployment and a Service beside its ConfigMap
 * @param lease name of the Lease by which replicas elect the one that works; {@code null}
 * for none
 * @param shard the share of the objects, such as {@code 0/2}; {@code null} for all
 */
record Task(boolean three, @Nullable String lease, @Nullable String shard) {

	Task by(String name, @Nullable String share) {
		return new Task(this.three, name, share);
	}

	/**
	 * The options of programs in Java.
	 * @return the arguments
	 */
	List<String> options() {
		List<String> options = new ArrayList<>(List.of("three=" + this.three));
		if (this.lease != null) {
			options.add("lease=" + this.lease);
		}
		if (this.shard != null) {
			options.add("shard=" + this.shard);
		}
		return options;
	}

	/**
	 * The options of programs in Go, which know no shards.
	 * @return the arguments
	 */
	List<String> flags() {
		List<String> flags = new ArrayList<>(List.of("-three=" + this.three));
		if (this.lease != null) {
			flags.add("-lease=" + this.lease);
		}
		return flags;
	}

}
