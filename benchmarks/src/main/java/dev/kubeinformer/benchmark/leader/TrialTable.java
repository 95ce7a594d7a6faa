package dev.kubeinformer.benchmark.leader;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import dev.kubeinformer.benchmark.compare.MarkdownTable;

/**
 * Judges trials: no result may exceed its bound by more than two seconds, and at least
 * half of the results must be within it. A slack must never be below its bound.
 */
final class TrialTable {

	private static final Duration TOLERANCE = Duration.ofSeconds(2);

	private TrialTable() {
	}

	static String text(List<TrialResult> results) {
		List<List<String>> lines = new ArrayList<>();
		lines.add(List.of("trial", "times", "bound", "median", "least", "greatest", "passed"));
		byTrial(results).forEach((trial, all) -> {
			List<Duration> figures = sorted(all);
			lines.add(List.of(trial, Integer.toString(all.size()), seconds(all.get(0).bound()),
					seconds(median(figures)), seconds(figures.get(0)), seconds(figures.get(figures.size() - 1)),
					problems(all).isEmpty() ? "yes" : "no"));
		});
		return MarkdownTable.format(lines);
	}

	/**
	 * Returns the problems of results.
	 * @param results results of any trials
	 * @return the problems, as text; empty if there are none
	 */
	static List<String> problems(List<TrialResult> results) {
		List<String> problems = new ArrayList<>();
		byTrial(results).forEach((trial, all) -> {
			all.forEach((result) -> result.problems().forEach((problem) -> problems.add(trial + ": " + problem)));
			List<Duration> figures = sorted(all);
			Duration bound = all.get(0).bound();
			if (trial.equals(Trial.Kind.SLACK.title())) {
				if (figures.get(0).compareTo(bound) < 0) {
					problems.add("%s: %s is below %s".formatted(trial, seconds(figures.get(0)), seconds(bound)));
				}
				return;
			}
			Duration latest = figures.get(figures.size() - 1);
			if (latest.compareTo(bound.plus(TOLERANCE)) > 0 || median(figures).compareTo(bound) > 0) {
				problems.add("%s: %s, the median %s, is above %s".formatted(trial, seconds(latest),
						seconds(median(figures)), seconds(bound)));
			}
		});
		return problems;
	}

	private static Map<String, List<TrialResult>> byTrial(List<TrialResult> results) {
		return results.stream()
			.collect(Collectors.groupingBy(TrialResult::trial, LinkedHashMap::new, Collectors.toList()));
	}

	private static List<Duration> sorted(List<TrialResult> results) {
		return results.stream().map(TrialResult::figure).sorted().toList();
	}

	private static Duration median(List<Duration> sorted) {
		return sorted.get((sorted.size() - 1) / 2);
	}

	private static String seconds(Duration duration) {
		return "%.2f s".formatted(duration.toNanos() / 1e9);
	}

}
