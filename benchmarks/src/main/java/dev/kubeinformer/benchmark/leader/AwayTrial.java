package dev.kubeinformer.benchmark.leader;

import java.io.IOException;
import java.time.Duration;
import java.util.List;

/** Trial of an outage of the API server. */
class AwayTrial extends Trial {

	/** Longest delay of a line that reports the beginning of something. */
	private static final Duration PRINTING = Duration.ofMillis(500);

	private final Outage outage;

	private final Duration duration;

	AwayTrial(Fleet fleet, Outage outage, Duration duration) {
		super(Kind.AWAY, fleet);
		this.outage = outage;
		this.duration = duration;
	}

	@Override
	Duration measure(ReplicaProcess leader, List<String> problems) throws IOException, InterruptedException {
		awaitRun(leader, System.nanoTime());
		List<ReplicaProcess> before = replicas().alive();
		this.outage.begin();
		long away = System.nanoTime();
		Thread.sleep(this.duration.toMillis());
		long back = System.nanoTime();
		this.outage.end();
		Entry first = timeline().await("run after the return", back, times().takeover().plusSeconds(60),
				is(Entry.Kind.BEGIN));
		replicas().awaitLeader();
		if (!replicas().alive().equals(before)) {
			problems
				.add("Not all replicas survived: " + replicas().alive().stream().map(ReplicaProcess::name).toList());
		}
		long fenced = away + times().renewDeadline().plus(PRINTING).toNanos();
		for (Span span : replicas().spans()) {
			if (span.begin() > fenced && span.begin() < back) {
				problems.add("The leader's work began %s after the API server had gone, at '%s'"
					.formatted(between(away, span.begin()), span.replica()));
			}
		}
		return between(back, first.nanos());
	}

	@Override
	Duration bound() {
		return times().takeover();
	}

}
