package dev.kubeinformer.benchmark.compare.client;

import java.util.Map;

import dev.kubeinformer.benchmark.compare.Measure;
import dev.kubeinformer.benchmark.compare.ReportedState;

/**
 * Result of a run.
 *
 * @param values the figures
 * @param state the final state of the client
 */
record Measurement(Map<Measure, Double> values, ReportedState state) {

	static Measurement of(Map<Measure, Double> values, ComparedInformer informer, Changes changes) {
		return new Measurement(values, new ReportedState(informer.state(), changes.state()));
	}

}
