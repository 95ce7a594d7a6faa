package dev.kubeinformer.benchmark.leader;

/**
 * Time in which a replica did what only the leader does.
 *
 * @param replica the name of the replica
 * @param begin when it began, by the monotonic clock
 * @param end when it ended
 */
record Span(String replica, long begin, long end) {

	boolean overlaps(Span other) {
		return !this.replica.equals(other.replica) && this.begin <= other.end && other.begin <= this.end;
	}

}
