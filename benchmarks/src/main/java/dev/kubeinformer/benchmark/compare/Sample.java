package dev.kubeinformer.benchmark.compare;

import java.util.Map;

/**
 * What one run of one client gave.
 *
 * @param row what was measured
 * @param run the number of the run, from 1
 * @param outcome how it ended
 * @param values the figures; none unless it was measured
 */
record Sample(Row row, int run, Outcome outcome, Map<Measure, Double> values) {

	/**
	 * What was run and how it ended, in one line.
	 * @return the text
	 */
	String title() {
		return "%s %s %d %s %s run %d: %s".formatted(this.row.scenario(), this.row.client(), this.row.objects(),
				this.row.resource().plural(), this.row.variant(), this.run, this.outcome);
	}

	/**
	 * What a run measures; runs of the same row make a median.
	 *
	 * @param scenario the scenario
	 * @param resource what it is about
	 * @param client the name of the client
	 * @param objects how many objects there are
	 * @param variant what is varied beyond these, such as the rate; may be empty
	 */
	record Row(Scenario scenario, Resource resource, String client, int objects, String variant) {

		/**
		 * A row about pods.
		 * @param scenario the scenario
		 * @param client the name of the client
		 * @param objects how many pods there are
		 * @param variant what is varied beyond these
		 */
		Row(Scenario scenario, String client, int objects, String variant) {
			this(scenario, Resource.PODS, client, objects, variant);
		}

	}

}
