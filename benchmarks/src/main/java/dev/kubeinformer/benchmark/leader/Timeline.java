package dev.kubeinformer.benchmark.leader;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;

/** Events of several replicas as they reported them. Safe for use by several threads. */
class Timeline {

	private final List<Entry> entries = new ArrayList<>();

	synchronized void add(Entry entry) {
		this.entries.add(entry);
		notifyAll();
	}

	synchronized List<Entry> entries() {
		return this.entries.stream().sorted(Comparator.comparingLong(Entry::nanos)).toList();
	}

	/**
	 * Returns the first entry of a kind since a time, among the entries received so far.
	 * @param since the time
	 * @param wanted selects the entry
	 * @return the entry; {@code null} if there is none yet
	 */
	synchronized @Nullable Entry first(long since, Predicate<Entry> wanted) {
		return this.entries.stream()
			.filter((entry) -> entry.nanos() >= since && wanted.test(entry))
			.min(Comparator.comparingLong(Entry::nanos))
			.orElse(null);
	}

	/**
	 * Waits for an entry.
	 * @param what the description of the entry, for failures
	 * @param since the time from which on it counts
	 * @param limit the longest time to wait
	 * @param wanted selects the entry
	 * @return the first such entry
	 * @throws InterruptedException if interrupted
	 */
	synchronized Entry await(String what, long since, Duration limit, Predicate<Entry> wanted)
			throws InterruptedException {
		long begin = System.nanoTime();
		Entry found = first(since, wanted);
		while (found == null) {
			long left = limit.toMillis() - Duration.ofNanos(System.nanoTime() - begin).toMillis();
			if (left <= 0) {
				throw new IllegalStateException(
						"No %s within %s. The last entries:%n%s".formatted(what, limit, tail(entries())));
			}
			wait(left);
			found = first(since, wanted);
		}
		return found;
	}

	private static String tail(List<Entry> entries) {
		StringBuilder text = new StringBuilder();
		entries.subList(Math.max(0, entries.size() - 40), entries.size())
			.forEach((entry) -> text.append(entry).append('\n'));
		return text.toString();
	}

	/**
	 * Returns the terms.
	 * @return the numbers in the order of their beginning
	 */
	List<Long> terms() {
		return entries().stream()
			.filter((entry) -> entry.kind() == Entry.Kind.GRANTED)
			.map((entry) -> Long.valueOf(entry.detail(0)))
			.toList();
	}

	/**
	 * Returns the spans of the leader's work. A span without an end ended with its
	 * process, or is in progress.
	 * @param ends the end times of the replicas
	 * @param now the current time
	 * @return the spans, in the order in which they began
	 */
	List<Span> spans(Map<String, Long> ends, long now) {
		List<Span> spans = new ArrayList<>();
		Map<String, Entry> open = new HashMap<>();
		for (Entry entry : entries()) {
			switch (entry.kind()) {
				case BEGIN -> open.put(entry.replica() + " " + entry.detail(0), entry);
				case END -> {
					Entry begin = open.remove(entry.replica() + " " + entry.detail(0));
					if (begin == null) {
						throw new IllegalStateException("'%s' has no beginning".formatted(entry));
					}
					spans.add(new Span(entry.replica(), begin.nanos(), entry.nanos()));
				}
				case TICK -> spans.add(new Span(entry.replica(), entry.nanos(), entry.nanos()));
				default -> {
					// Such an entry does not belong to the leader's work.
				}
			}
		}
		open.values()
			.forEach((begin) -> spans
				.add(new Span(begin.replica(), begin.nanos(), ends.getOrDefault(begin.replica(), now))));
		spans.sort(Comparator.comparingLong(Span::begin));
		return spans;
	}

	/**
	 * Returns spans of different replicas that overlap.
	 * @param spans the spans, in the order in which they began
	 * @return the pairs
	 */
	static List<List<Span>> overlaps(List<Span> spans) {
		List<List<Span>> found = new ArrayList<>();
		for (int i = 0; i < spans.size(); i++) {
			Span one = spans.get(i);
			for (int j = i + 1; j < spans.size() && spans.get(j).begin() <= one.end(); j++) {
				if (one.overlaps(spans.get(j))) {
					found.add(List.of(one, spans.get(j)));
				}
			}
		}
		return found;
	}

}
