package dev.kubeinformer.benchmark.compare;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.kubeinformer.benchmark.compare.Sample.Row;

/**
 * Markdown table of the samples of one scenario and resource: a row for each client,
 * number of objects and variant, with the median and the extremes of its runs.
 */
final class ResultTable {

	private final Scenario scenario;

	private final Resource resource;

	private final Map<Row, List<Sample>> rows;

	/**
	 * Selects the samples of a scenario and a resource, in the order of their first
	 * measurement.
	 * @param scenario the scenario
	 * @param resource the resource
	 * @param samples samples of any scenario
	 */
	ResultTable(Scenario scenario, Resource resource, Collection<Sample> samples) {
		this.scenario = scenario;
		this.resource = resource;
		this.rows = samples.stream()
			.filter((sample) -> sample.row().scenario() == scenario && sample.row().resource() == resource)
			.collect(Collectors.groupingBy(Sample::row, LinkedHashMap::new, Collectors.toList()));
	}

	/**
	 * Returns the lines of all non-empty tables.
	 * @param samples the samples
	 * @return the text
	 */
	static String all(Collection<Sample> samples) {
		return Arrays.stream(Scenario.values())
			.flatMap((scenario) -> Arrays.stream(Resource.values())
				.map((resource) -> new ResultTable(scenario, resource, samples)))
			.filter((table) -> !table.rows.isEmpty())
			.map(ResultTable::text)
			.collect(Collectors.joining("\n"));
	}

	String text() {
		List<Measure> measures = this.scenario.measures().stream().filter(this::isMeasured).toList();
		List<List<String>> lines = new ArrayList<>();
		lines.add(Stream
			.concat(Stream.of("client", "objects", "variant", "runs"), measures.stream().map(Measure::heading))
			.toList());
		this.rows.forEach((row, samples) -> lines.add(line(row, samples, measures)));
		boolean varied = this.rows.keySet().stream().anyMatch((row) -> !row.variant().isEmpty());
		List<List<String>> shown = varied ? lines : lines.stream().map(ResultTable::withoutVariant).toList();
		String of = (this.resource != Resource.PODS) ? " of " + this.resource.plural() : "";
		return "### " + this.scenario.title() + of + "\n\n" + MarkdownTable.format(shown);
	}

	private static List<String> withoutVariant(List<String> line) {
		return Stream.concat(line.stream().limit(2), line.stream().skip(3)).toList();
	}

	private boolean isMeasured(Measure measure) {
		return this.rows.values()
			.stream()
			.flatMap(Collection::stream)
			.anyMatch((sample) -> sample.values().containsKey(measure));
	}

	private static List<String> line(Row row, List<Sample> samples, List<Measure> measures) {
		List<String> line = new ArrayList<>(
				List.of(row.client(), Integer.toString(row.objects()), row.variant(), runs(samples)));
		for (Measure measure : measures) {
			List<Double> values = samples.stream()
				.map((sample) -> sample.values().get(measure))
				.filter((value) -> value != null)
				.toList();
			line.add(values.isEmpty() ? "–" : Spread.of(values).text(measure.decimals()));
		}
		return line;
	}

	// Describes the number of runs, and the outcomes of those without figures.
	private static String runs(List<Sample> samples) {
		Map<Outcome, Long> failed = samples.stream()
			.map(Sample::outcome)
			.filter((outcome) -> outcome != Outcome.MEASURED)
			.collect(Collectors.groupingBy((outcome) -> outcome, LinkedHashMap::new, Collectors.counting()));
		return samples.size() + failed.entrySet()
			.stream()
			.map((entry) -> ", " + entry.getValue() + " " + entry.getKey())
			.collect(Collectors.joining());
	}

}
