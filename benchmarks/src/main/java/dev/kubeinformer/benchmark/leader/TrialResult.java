package dev.kubeinformer.benchmark.leader;

import java.time.Duration;
import java.util.List;

/**
 * Result of a trial.
 *
 * @param trial what was tried
 * @param figure what was measured
 * @param bound what it may be at most; at least for a slack
 * @param problems what happened that must not, for people
 */
record TrialResult(String trial, Duration figure, Duration bound, List<String> problems) {

	TrialResult {
		problems = List.copyOf(problems);
	}

}
