package dev.kubeinformer.benchmark.leader;

/**
 * Time in which a replica did work of the leader.
 *
 * @param replica the name of the replica
 * @param begin the beginning, by the monotonic clock
 * @param end the end
 */
record Span(String replica, long begin, long end) {

	boolean overlaps(Span other) {
		return !this.replica.equals(other.replica) && this.begin <= other.end && other.begin <= this.end;
	}

}
