package dev.kubeinformer.benchmark.controller;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import dev.kubeinformer.benchmark.compare.MarkdownTable;
import dev.kubeinformer.benchmark.compare.Spread;

/** Markdown tables of a comparison: median and extremes of the rounds. */
final class ControllerTable {

	private ControllerTable() {
	}

	static String text(List<ControllerSample> samples) {
		Map<String, List<ControllerSample>> phases = samples.stream()
			.collect(Collectors.groupingBy(ControllerSample::phase, LinkedHashMap::new, Collectors.toList()));
		return phases.entrySet()
			.stream()
			.map((entry) -> "### %s%n%n%s".formatted(entry.getKey(), table(entry.getValue())))
			.collect(Collectors.joining("\n"));
	}

	private static String table(List<ControllerSample> samples) {
		List<List<String>> lines = new ArrayList<>();
		List<String> heading = new ArrayList<>(List.of("client", "rounds"));
		for (Figure figure : Figure.values()) {
			heading.add(figure.heading());
		}
		lines.add(heading);
		samples.stream()
			.collect(Collectors.groupingBy(ControllerSample::client, LinkedHashMap::new, Collectors.toList()))
			.forEach((client, rounds) -> lines.add(line(client, rounds)));
		return MarkdownTable.format(lines);
	}

	private static List<String> line(String client, List<ControllerSample> rounds) {
		long failed = rounds.stream().filter((round) -> round.figures().isEmpty()).count();
		List<String> line = new ArrayList<>(
				List.of(client, rounds.size() + ((failed > 0) ? ", %d failed".formatted(failed) : "")));
		for (Figure figure : Figure.values()) {
			List<Double> values = rounds.stream()
				.map((round) -> round.figures().get(figure))
				.filter((value) -> value != null)
				.toList();
			line.add(values.isEmpty() ? "–" : Spread.of(values).text(figure.decimals()));
		}
		return line;
	}

}
