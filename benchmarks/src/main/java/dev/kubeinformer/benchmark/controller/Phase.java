package dev.kubeinformer.benchmark.controller;

/** Phase in which a controller is measured. */
enum Phase {

	/** No object has a child yet. */
	START("From start to rest"),

	/** Nothing must be written. */
	RESTART("Restart: every object has its children already"),

	/** Another client has edited a child of every hundredth object. */
	EDITED("Restart: a child of 1 % was edited meanwhile"),

	/** The leading process is killed while another one is on standby. */
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
