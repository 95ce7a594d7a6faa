package dev.kubeinformer.benchmark.leader;

import java.io.IOException;
import java.time.Duration;
import java.util.List;

/**
 * Trial in which the leader is suspended during a run, and resumed when another replica
 * has written.
 */
class FrozenTrial extends Trial {

	FrozenTrial(Fleet fleet) {
		super(Kind.FROZEN, fleet);
	}

	@Override
	Duration measure(ReplicaProcess leader, List<String> problems) throws IOException, InterruptedException {
		Entry begin = awaitRun(leader, System.nanoTime());
		long frozen = System.nanoTime();
		leader.freeze();
		Entry first = awaitRunElsewhere(leader, frozen);
		timeline().await("write elsewhere", first.nanos(), Duration.ofSeconds(10),
				is(Entry.Kind.END).and(of(leader).negate()));
		long resumed = System.nanoTime();
		leader.thaw();
		Entry end = timeline().await("end of the suspended run", begin.nanos(), Duration.ofSeconds(20),
				is(Entry.Kind.END).and(of(leader)).and((entry) -> entry.detail(0).equals(begin.detail(0))));
		if (end.detail(1).equals("written")) {
			problems.add("The suspended leader wrote after its resumption: " + end);
		}
		timeline().await("revocation", frozen, Duration.ofSeconds(20), is(Entry.Kind.REVOKED).and(of(leader)));
		replicas().awaitLeader();
		Entry after = timeline().first(resumed,
				is(Entry.Kind.BEGIN).or(is(Entry.Kind.TICK)).or(is(Entry.Kind.GRANTED)).and(of(leader)));
		if (after != null) {
			problems.add("The suspended leader went on: " + after);
		}
		// Otherwise it would become the successor of its successor in later trials.
		leader.kill();
		return between(frozen, first.nanos());
	}

	@Override
	Duration bound() {
		return times().takeover();
	}

	@Override
	boolean mayOverlap(Span one, Span other) {
		return isSuspended(one) || isSuspended(other);
	}

	// No other run takes as long as a term without a renewal.
	private boolean isSuspended(Span run) {
		return between(run.begin(), run.end()).compareTo(times().renewDeadline()) > 0;
	}

}
