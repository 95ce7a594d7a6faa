package dev.kubeinformer.benchmark.leader;

import java.time.Duration;
import java.util.List;

/** Trial in which the leader is killed while it works. */
class KilledTrial extends Trial {

	KilledTrial(Fleet fleet) {
		super(Kind.KILLED, fleet);
	}

	@Override
	Duration measure(ReplicaProcess leader, List<String> problems) throws InterruptedException {
		awaitRun(leader, System.nanoTime());
		long killed = System.nanoTime();
		leader.kill();
		return between(killed, awaitRunElsewhere(leader, killed).nanos());
	}

	@Override
	Duration bound() {
		return times().takeover();
	}

}
