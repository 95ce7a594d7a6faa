package dev.kubeinformer.chaos;

import java.time.LocalTime;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

import dev.kubeinformer.leader.Leadership;
import dev.kubeinformer.leader.Leadership.Term;
import dev.kubeinformer.types.ObjectKey;

/**
 * Looks at the replicas of an application from outside: whether two of them lead at the
 * same time, whether two runs of a key overlap, be they of one replica or of two, and
 * whether the API server stored a write of a term after one of a later term.
 */
final class Oversight implements AutoCloseable {

	private final ConcurrentMap<String, String> running = new ConcurrentHashMap<>();

	private final NavigableMap<Long, Span> writes = new TreeMap<>();

	private final Queue<String> wrong = new ConcurrentLinkedQueue<>();

	private final AtomicLong runs = new AtomicLong();

	private final ScheduledExecutorService executor = Executors.newSingleThreadScheduledExecutor();

	/**
	 * Begins to look whether two of some replicas lead at the same time.
	 * @param replicas their leaderships
	 */
	void watch(List<? extends Leadership> replicas) {
		this.executor.scheduleWithFixedDelay(() -> look(replicas), 0, 5, TimeUnit.MILLISECONDS);
	}

	private void look(List<? extends Leadership> replicas) {
		for (Leadership one : replicas) {
			Term term = one.term();
			if (term != null) {
				for (Leadership other : replicas) {
					Term second = (other != one) ? other.term() : null;
					// It led before the other one was asked, and leads after that.
					if (second != null && one.holds(term)) {
						wrong("Two replicas lead at the same time, in the terms %d and %d".formatted(term.number(),
								second.number()));
					}
				}
			}
		}
	}

	/**
	 * Begins a run.
	 * @param reconciler the reconciler
	 * @param key the key of the parent
	 * @param who says whose run that is
	 */
	void begin(String reconciler, ObjectKey key, String who) {
		String name = name(reconciler, key);
		this.runs.incrementAndGet();
		String other = this.running.putIfAbsent(name, who);
		if (other != null) {
			wrong("A run of %s by %s overlaps one by %s".formatted(name, who, other));
		}
	}

	/**
	 * Ends a run.
	 * @param reconciler the reconciler
	 * @param key the key of the parent
	 * @param who says whose run that is
	 */
	void end(String reconciler, ObjectKey key, String who) {
		this.running.remove(name(reconciler, key), who);
	}

	private static String name(String reconciler, ObjectKey key) {
		return reconciler + " of " + key;
	}

	/**
	 * Notes a write that the API server has stored.
	 * @param term the number of the term that it was sent in
	 * @param version the version that it made
	 */
	synchronized void stored(long term, long version) {
		this.writes.merge(term, new Span(version, version), Span::with);
		Map.Entry<Long, Span> before = this.writes.lowerEntry(term);
		Map.Entry<Long, Span> after = this.writes.higherEntry(term);
		if ((before != null && before.getValue().last() > version)
				|| (after != null && after.getValue().first() < version)) {
			wrong("A write of term %d made version %d, and the terms have %s".formatted(term, version, this.writes));
		}
	}

	void wrong(String what) {
		this.wrong.add(LocalTime.now().truncatedTo(ChronoUnit.MILLIS) + " " + what);
	}

	/**
	 * Returns all that was wrong.
	 * @return texts, in order
	 */
	List<String> wrong() {
		return List.copyOf(this.wrong);
	}

	long runs() {
		return this.runs.get();
	}

	synchronized int terms() {
		return this.writes.size();
	}

	@Override
	public void close() {
		this.executor.shutdownNow();
	}

	/**
	 * The versions that writes of a term have made.
	 *
	 * @param first the first version
	 * @param last the last version
	 */
	private record Span(long first, long last) {

		Span with(Span other) {
			return new Span(Math.min(this.first, other.first), Math.max(this.last, other.last));
		}

	}

}
