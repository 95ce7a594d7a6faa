package dev.kubeinformer.test.internal.training;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.MappingIterator;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

/**
 * Reads objects from YAML or JSON files with one or several documents. A list counts as
 * its items.
 */
public final class Manifests {

	private static final YAMLMapper YAML = YAMLMapper.builder().build();

	private Manifests() {
	}

	/**
	 * Reads objects.
	 * @param places files, or folders of files that end with yaml, yml or json
	 * @return the objects in the order of the files
	 * @throws IOException if a file cannot be read
	 * @throws IllegalArgumentException if a file contains something other than objects
	 */
	public static List<ObjectNode> read(List<Path> places) throws IOException {
		List<ObjectNode> objects = new ArrayList<>();
		for (Path place : places) {
			for (Path file : files(place)) {
				read(file, objects);
			}
		}
		return objects;
	}

	private static List<Path> files(Path place) throws IOException {
		if (!Files.isDirectory(place)) {
			return List.of(place);
		}
		try (Stream<Path> files = Files.list(place)) {
			return files.filter((file) -> file.toString().matches(".*\\.(ya?ml|json)")).sorted().toList();
		}
	}

	private static void read(Path file, List<ObjectNode> objects) throws IOException {
		try (MappingIterator<JsonNode> documents = YAML.readerFor(JsonNode.class)
			.readValues(Files.readAllBytes(file))) {
			while (documents.hasNext()) {
				add(file, documents.next(), objects);
			}
		}
		catch (JacksonException ex) {
			throw new IllegalArgumentException("'%s' cannot be read: %s".formatted(file, ex.getMessage()), ex);
		}
	}

	private static void add(Path file, JsonNode node, List<ObjectNode> objects) {
		if (node.isNull() || node.isMissingNode()) {
			return;
		}
		if (node.path("kind").asString("").endsWith("List") && node.path("items").isArray()) {
			node.path("items").forEach((item) -> add(file, item, objects));
		}
		else if (node instanceof ObjectNode object && object.path("kind").isString()
				&& object.path("apiVersion").isString()) {
			objects.add(object);
		}
		else {
			throw new IllegalArgumentException("'%s' has a document without kind and apiVersion".formatted(file));
		}
	}

}
