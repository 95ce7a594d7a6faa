package dev.kubeinformer.benchmark.leader;

import java.time.Duration;
import java.util.List;

/**
 * Result of a trial.
 *
 * @param trial the name of the trial
 * @param figure the measured time
 * @param bound the maximum; for a slack, the minimum
 * @param problems the violations, as text
 */
record TrialResult(String trial, Duration figure, Duration bound, List<String> problems) {

	TrialResult {
		problems = List.copyOf(problems);
	}

}
