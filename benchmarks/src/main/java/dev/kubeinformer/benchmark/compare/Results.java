package dev.kubeinformer.benchmark.compare;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

import dev.kubeinformer.benchmark.compare.Sample.Row;

/** File of all samples. */
final class Results {

	private static final JsonMapper JSON = JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

	private Results() {
	}

	/**
	 * Writes a file.
	 * @param file the file
	 * @param machine the machine on which the samples were measured
	 * @param command the arguments of the comparison
	 * @param samples the samples
	 * @throws IOException if the file cannot be written
	 */
	static void write(Path file, Machine machine, List<String> command, List<Sample> samples) throws IOException {
		Map<String, Object> all = new LinkedHashMap<>();
		all.put("machine", machine);
		all.put("command", command);
		all.put("samples", samples.stream().map(Results::fields).toList());
		Files.write(file, JSON.writeValueAsBytes(all));
	}

	private static Map<String, Object> fields(Sample sample) {
		Map<String, Object> fields = new LinkedHashMap<>();
		fields.put("scenario", sample.row().scenario().name());
		fields.put("resource", sample.row().resource().name());
		fields.put("client", sample.row().client());
		fields.put("objects", sample.row().objects());
		fields.put("variant", sample.row().variant());
		fields.put("run", sample.run());
		fields.put("outcome", sample.outcome().name());
		sample.values().forEach((measure, value) -> fields.put(measure.key(), value));
		return fields;
	}

	/**
	 * Reads the samples of a file.
	 * @param file the file
	 * @return the samples
	 * @throws IOException if the file cannot be read
	 */
	static List<Sample> read(Path file) throws IOException {
		List<Sample> samples = new ArrayList<>();
		for (JsonNode node : JSON.readTree(Files.readAllBytes(file)).get("samples")) {
			Row row = new Row(Scenario.valueOf(node.get("scenario").asString()),
					Resource.valueOf(node.path("resource").asString(Resource.PODS.name())),
					node.get("client").asString(), node.get("objects").asInt(), node.get("variant").asString());
			Map<Measure, Double> values = new EnumMap<>(Measure.class);
			for (Measure measure : Measure.values()) {
				if (node.has(measure.key())) {
					values.put(measure, node.get(measure.key()).asDouble());
				}
			}
			samples
				.add(new Sample(row, node.get("run").asInt(), Outcome.valueOf(node.get("outcome").asString()), values));
		}
		return samples;
	}

}
