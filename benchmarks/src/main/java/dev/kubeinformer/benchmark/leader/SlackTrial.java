package dev.kubeinformer.benchmark.leader;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Trial in which all workers of the leader are blocked, and its heap is collected
 * repeatedly.
 */
class SlackTrial extends Trial {

	static final int WORKERS = 64;

	private final Duration duration;

	private final Duration pause;

	SlackTrial(Fleet fleet, Duration duration) {
		super(Kind.SLACK, fleet);
		this.duration = duration;
		this.pause = fleet.times().retryPeriod().multipliedBy(7).dividedBy(10);
	}

	@Override
	int replicasNeeded() {
		return 1;
	}

	@Override
	Duration measure(ReplicaProcess leader, List<String> problems) throws IOException, InterruptedException {
		timeline().await("run of the last worker", 0, Duration.ofSeconds(20),
				is(Entry.Kind.BEGIN).and((entry) -> entry.detail(0).equals(Integer.toString(WORKERS))));
		long begin = System.nanoTime();
		while (System.nanoTime() - begin < this.duration.toNanos()) {
			long asked = System.nanoTime();
			leader.send(Replica.COLLECT);
			timeline().await("full collection", asked, Duration.ofSeconds(30), is(Entry.Kind.COLLECTED));
			TimeUnit.MILLISECONDS.sleep(this.pause.toMillis());
		}
		if (timeline().first(begin, is(Entry.Kind.REVOKED).or(is(Entry.Kind.END))) != null) {
			problems.add("The term was lost");
		}
		long renewals = timeline().entries()
			.stream()
			.filter((entry) -> entry.nanos() >= begin && entry.kind() == Entry.Kind.RENEWED)
			.count();
		if (renewals < this.duration.dividedBy(times().retryPeriod()) / 2) {
			problems.add("There were only %d renewals in %s".formatted(renewals, this.duration));
		}
		return Duration.ofMillis(timeline().entries()
			.stream()
			.filter((entry) -> entry.nanos() >= begin && entry.kind() == Entry.Kind.RENEWED)
			.mapToLong((entry) -> Long.parseLong(entry.detail(0)))
			.min()
			.orElse(0));
	}

	Duration longestCollection() {
		return Duration.ofMillis(timeline().entries()
			.stream()
			.filter(is(Entry.Kind.COLLECTED))
			.mapToLong((entry) -> Long.parseLong(entry.detail(0)))
			.max()
			.orElse(0));
	}

	@Override
	Duration bound() {
		return times().slack();
	}

}
