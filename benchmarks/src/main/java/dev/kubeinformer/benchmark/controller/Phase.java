package dev.kubeinformer.benchmark.controller;

/**
 * What a controller is measured at.
 */
enum Phase {

	/** No object has a child yet. */
	START("From start to rest"),

	/** Nothing is to be written. */
	RESTART("Restart: every object has its children already"),

	/** Somebody else has edited a child of every hundredth object. */
	EDITED("Restart: a child of 1 % was edited meanwhile"),

	/** The process that leads is killed beside one that stands by. */
	LEADER("Change of leader: from the start of the standby to rest"),

	/** The same with a Lease for half of the objects. */
	SHARD("Handover of a shard: from the start of the standby to rest");

	private final String heading;

	Phase(String heading) {
		this.heading = heading;
	}

	String heading() {
		return this.heading;
	}

}
