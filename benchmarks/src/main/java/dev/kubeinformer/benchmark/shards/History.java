package dev.kubeinformer.benchmark.shards;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Records of all processes of a trial. */
final class History {

	private static final int SHOWN = 5;

	/** Runs by the key of their object. */
	private final Map<String, List<Run>> runs = new HashMap<>();

	/** Periods in which a slot was held, by the slot. */
	private final Map<Integer, List<Hold>> holds = new TreeMap<>();

	private long moves;

	/**
	 * Reads the records of a process. A run or slot that a suspended process ended right
	 * after it was resumed counts as ended when it was suspended, because the process did
	 * nothing in between.
	 * @param replica the process
	 * @throws IOException if the file cannot be read
	 */
	void read(ReplicaJvm replica) throws IOException {
		String process = replica.name();
		Path journal = replica.journal();
		long end = replica.end();
		Map<Integer, Long> gained = new HashMap<>();
		for (String line : Files.readAllLines(journal)) {
			String[] words = line.split(" ");
			switch (words[0]) {
				case "run" -> this.runs.computeIfAbsent(words[1], (key) -> new ArrayList<>())
					.add(new Run(process, words[2], Long.parseLong(words[3]),
							replica.awakeUntil(Long.parseLong(words[3]), Long.parseLong(words[4]))));
				case "gained" -> {
					for (String slot : words[2].split(",")) {
						gained.put(Integer.valueOf(slot), Long.valueOf(words[1]));
						this.moves++;
					}
				}
				case "lost" -> {
					for (String slot : words[2].split(",")) {
						Long since = gained.remove(Integer.valueOf(slot));
						if (since != null) {
							held(Integer.parseInt(slot), new Hold(process, since, replica.awakeUntil(since, Long.parseLong(words[1]))));
						}
					}
				}
				default -> {
				}
			}
		}
		gained.forEach((slot, since) -> held(slot, new Hold(process, since, end)));
	}

	private void held(int slot, Hold hold) {
		this.holds.computeIfAbsent(slot, (key) -> new ArrayList<>()).add(hold);
	}

	/**
	 * Returns runs of one object that were active at the same time in two processes.
	 * @return descriptions of the first ones, preceded by their number; empty if there
	 * are none
	 */
	List<String> overlaps() {
		List<String> found = new ArrayList<>();
		this.runs.forEach((key, each) -> {
			List<Run> sorted = each.stream().sorted(Comparator.comparingLong(Run::begin)).toList();
			long end = Long.MIN_VALUE;
			Run last = null;
			for (Run run : sorted) {
				if (last != null && run.begin() < end) {
					found.add("%s: %s and %s".formatted(key, last, run));
				}
				if (run.end() > end) {
					end = run.end();
					last = run;
				}
			}
		});
		return summary(found, "overlapping runs");
	}

	/**
	 * Returns objects whose current version no run has seen.
	 * @param versions the current version of each object, by its key
	 * @return descriptions of the first ones, preceded by their number; empty if there
	 * are none
	 */
	List<String> missed(Map<String, String> versions) {
		List<String> found = new ArrayList<>();
		versions.forEach((key, version) -> {
			List<Run> each = this.runs.getOrDefault(key, List.of());
			if (each.stream().noneMatch((run) -> run.version().equals(version))) {
				found.add("%s at %s: %d runs".formatted(key, version, each.size()));
			}
		});
		return summary(found, "objects that were not reconciled");
	}

	/**
	 * Returns the longest times without a holder of a slot that began in a period.
	 * @param begin the begin of the period
	 * @param end the end of the period
	 * @return the times in nanoseconds, by slot
	 */
	Map<Integer, Long> gaps(long begin, long end) {
		Map<Integer, Long> longest = new TreeMap<>();
		this.holds.forEach((slot, each) -> {
			List<Hold> sorted = each.stream().sorted(Comparator.comparingLong(Hold::begin)).toList();
			for (int i = 1; i < sorted.size(); i++) {
				long since = sorted.get(i - 1).end();
				if (since >= begin && since <= end) {
					longest.merge(slot, sorted.get(i).begin() - since, Math::max);
				}
			}
			long last = sorted.get(sorted.size() - 1).end();
			if (last >= begin && last <= end) {
				longest.put(slot, Long.MAX_VALUE);
			}
		});
		return longest;
	}

	/**
	 * Returns slots that two processes held at the same time.
	 * @return descriptions of the first ones, preceded by their number; empty if there
	 * are none
	 */
	List<String> sharedSlots() {
		List<String> found = new ArrayList<>();
		this.holds.forEach((slot, each) -> {
			List<Hold> sorted = each.stream().sorted(Comparator.comparingLong(Hold::begin)).toList();
			for (int i = 1; i < sorted.size(); i++) {
				if (sorted.get(i).begin() < sorted.get(i - 1).end()) {
					found.add("slot %d: %s and %s".formatted(slot, sorted.get(i - 1), sorted.get(i)));
				}
			}
		});
		return summary(found, "slots with two holders");
	}

	long runs() {
		return this.runs.values().stream().mapToLong(Collection::size).sum();
	}

	long moves() {
		return this.moves;
	}

	private static List<String> summary(List<String> found, String what) {
		if (found.isEmpty()) {
			return List.of();
		}
		List<String> lines = new ArrayList<>();
		lines.add(found.size() + " " + what);
		found.stream().limit(SHOWN).forEach((each) -> lines.add("  " + each));
		return lines;
	}

	/**
	 * Run of an object.
	 *
	 * @param process the process
	 * @param version the version of the object that the run has seen
	 * @param begin the begin, in nanoseconds
	 * @param end the end, in nanoseconds
	 */
	record Run(String process, String version, long begin, long end) {
	}

	/**
	 * Period in which a process held a slot.
	 *
	 * @param process the process
	 * @param begin the begin, in nanoseconds
	 * @param end the end, in nanoseconds
	 */
	record Hold(String process, long begin, long end) {
	}

}
