package dev.kubeinformer.benchmark.leader;

import java.time.Duration;
import java.util.List;

/** Trial in which the leader is asked to end during a run, which may complete. */
class BusyTrial extends Trial {

	private final Duration work;

	BusyTrial(Fleet fleet, Duration work) {
		super(Kind.BUSY, fleet);
		this.work = work;
	}

	@Override
	Duration measure(ReplicaProcess leader, List<String> problems) throws InterruptedException {
		Entry begin = awaitRun(leader, System.nanoTime());
		Thread.sleep(this.work.dividedBy(5).toMillis());
		leader.terminate();
		Entry end = timeline().await("end of the run", begin.nanos(), this.work.multipliedBy(3),
				is(Entry.Kind.END).and(of(leader)));
		if (!end.detail(1).equals("written")) {
			problems.add("The run in flight was not drained: " + end);
		}
		Entry first = awaitRunElsewhere(leader, begin.nanos());
		leader.join();
		if (timeline().first(end.nanos(), is(Entry.Kind.BEGIN).and(of(leader))) != null) {
			problems.add("A run began after the drained one");
		}
		return between(end.nanos(), first.nanos());
	}

	@Override
	Duration bound() {
		return Duration.ofSeconds(1);
	}

}
