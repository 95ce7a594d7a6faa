package dev.kubeinformer.benchmark.leader;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

import io.kubernetes.client.openapi.ApiException;

/**
 * Common parts of all kinds of trials: replicas that continue from one trial to the next,
 * and conditions that must never occur.
 */
abstract class Trial {

	static final int REPLICAS = 3;

	private final Kind kind;

	private final Fleet fleet;

	Trial(Kind kind, Fleet fleet) {
		this.kind = kind;
		this.fleet = fleet;
	}

	/**
	 * Runs the trial.
	 * @return the result
	 * @throws IOException if the replicas cannot be used
	 * @throws ApiException if the API server cannot be used
	 * @throws InterruptedException if interrupted
	 */
	TrialResult run() throws IOException, ApiException, InterruptedException {
		replicas().start(replicasNeeded() - replicas().alive().size());
		long begin = System.nanoTime();
		List<String> problems = new ArrayList<>();
		Duration figure = measure(replicas().awaitLeader(), problems);
		for (List<Span> overlap : Timeline.overlaps(spans(begin))) {
			if (mayOverlap(overlap.get(0), overlap.get(1))) {
				continue;
			}
			problems.add("'%s' and '%s' did the leader's work at the same time: %s".formatted(overlap.get(0).replica(),
					overlap.get(1).replica(), overlap));
		}
		List<Long> terms = timeline().terms();
		if (!terms.equals(terms.stream().distinct().sorted().toList())) {
			problems.add("Terms do not follow each other: " + terms);
		}
		for (List<Records.Write> late : Records.late(this.fleet.records().writes())) {
			problems.add("A replica wrote after its successor: " + late);
		}
		return new TrialResult(this.kind.title, figure, bound(), problems);
	}

	// Spans that ended earlier were judged by the previous trial.
	private List<Span> spans(long since) {
		return replicas().spans().stream().filter((span) -> span.end() >= since).toList();
	}

	/**
	 * Runs the actions of the trial.
	 * @param leader the leader
	 * @param problems receives the violations
	 * @return the measured time
	 * @throws IOException if the replicas cannot be used
	 * @throws InterruptedException if interrupted
	 */
	abstract Duration measure(ReplicaProcess leader, List<String> problems) throws IOException, InterruptedException;

	abstract Duration bound();

	/**
	 * Returns whether the work of two replicas may overlap because one was suspended.
	 * @param one the work of one
	 * @param other the work of the other
	 * @return {@code true} if the two may overlap
	 */
	boolean mayOverlap(Span one, Span other) {
		return false;
	}

	int replicasNeeded() {
		return REPLICAS;
	}

	LeaderTimes times() {
		return this.fleet.times();
	}

	Replicas replicas() {
		return this.fleet.replicas();
	}

	Timeline timeline() {
		return replicas().timeline();
	}

	Entry awaitRun(ReplicaProcess replica, long since) throws InterruptedException {
		return timeline().await("run of '%s'".formatted(replica.name()), since, limit(),
				is(Entry.Kind.BEGIN).and(of(replica)));
	}

	Entry awaitRunElsewhere(ReplicaProcess replica, long since) throws InterruptedException {
		return timeline().await("run elsewhere than at '%s'".formatted(replica.name()), since, limit(),
				is(Entry.Kind.BEGIN).and(of(replica).negate()));
	}

	private Duration limit() {
		return times().takeover().multipliedBy(2).plusSeconds(20);
	}

	static Predicate<Entry> is(Entry.Kind kind) {
		return (entry) -> entry.kind() == kind;
	}

	static Predicate<Entry> of(ReplicaProcess replica) {
		return (entry) -> entry.replica().equals(replica.name());
	}

	static Duration between(long begin, long end) {
		return Duration.ofNanos(end - begin);
	}

	/**
	 * Kinds of trials.
	 */
	enum Kind {

		KILLED("kill -9, until the first run elsewhere"),

		STOPPED("stopped while idle, until the first run elsewhere"),

		BUSY("stopped during a run, from its end until the first run elsewhere"),

		FROZEN("suspended during a run, until the first run elsewhere"),

		AWAY("API server away, from its return until the first run"),

		SLACK("64 blocked runs and full collections, the least slack");

		private final String title;

		Kind(String title) {
			this.title = title;
		}

		String title() {
			return this.title;
		}

	}

}
