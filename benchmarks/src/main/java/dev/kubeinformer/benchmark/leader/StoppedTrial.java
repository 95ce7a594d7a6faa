package dev.kubeinformer.benchmark.leader;

import java.time.Duration;
import java.util.List;

/** Trial in which the leader is asked to end outside of a run. */
class StoppedTrial extends Trial {

	StoppedTrial(Fleet fleet) {
		super(Kind.STOPPED, fleet);
	}

	@Override
	Duration measure(ReplicaProcess leader, List<String> problems) throws InterruptedException {
		timeline().await("end of the only run", 0, Duration.ofSeconds(10), is(Entry.Kind.END).and(of(leader)));
		long stopped = System.nanoTime();
		leader.terminate();
		Entry first = awaitRunElsewhere(leader, stopped);
		leader.join();
		return between(stopped, first.nanos());
	}

	@Override
	Duration bound() {
		return Duration.ofSeconds(1);
	}

}
