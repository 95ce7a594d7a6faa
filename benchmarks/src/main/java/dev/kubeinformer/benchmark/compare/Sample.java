package dev.kubeinformer.benchmark.compare;

import java.util.Map;

/**
 * Result of one run of one client.
 *
 * @param row the measured row
 * @param run the number of the run, from 1
 * @param outcome the outcome
 * @param values the figures; empty unless the run was measured
 */
record Sample(Row row, int run, Outcome outcome, Map<Measure, Double> values) {

	/**
	 * Describes the run and its outcome in one line.
	 * @return the text
	 */
	String title() {
		return "%s %s %d %s %s run %d: %s".formatted(this.row.scenario(), this.row.client(), this.row.objects(),
				this.row.resource().plural(), this.row.variant(), this.run, this.outcome);
	}

	/**
	 * Parameters of a run; the runs of one row yield a median.
	 *
	 * @param scenario the scenario
	 * @param resource the resource
	 * @param client the name of the client
	 * @param objects the number of objects
	 * @param variant other varied parameters, such as the rate; may be empty
	 */
	record Row(Scenario scenario, Resource resource, String client, int objects, String variant) {

		/**
		 * Creates a row about pods.
		 * @param scenario the scenario
		 * @param client the name of the client
		 * @param objects the number of pods
		 * @param variant other varied parameters
		 */
		Row(Scenario scenario, String client, int objects, String variant) {
			this(scenario, Resource.PODS, client, objects, variant);
		}

	}

}
