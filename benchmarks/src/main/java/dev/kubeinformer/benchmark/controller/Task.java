package dev.kubeinformer.benchmark.controller;

import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * Task of a program.
 *
 * @param three whether each object has a Deployment and a Service in addition to its
 * ConfigMap
 * @param lease the name of the Lease by which replicas elect the working one; {@code
 * null} for none
 * @param shard the share of the objects, such as {@code 0/2}; {@code null} for all
 */
record Task(boolean three, @Nullable String lease, @Nullable String shard) {

	Task by(String name, @Nullable String share) {
		return new Task(this.three, name, share);
	}

	/**
	 * Returns the options of Java programs.
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
	 * Returns the options of Go programs, which do not support shards.
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
