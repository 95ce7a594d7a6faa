package dev.kubeinformer.test.internal.http;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/**
 * Finds fields that a JSON text sets twice. The tree of the text contains each field only
 * once.
 */
final class DuplicateFields {

	private static final JsonFactory FACTORY = new JsonFactory();

	private DuplicateFields() {
	}

	static List<String> find(byte[] json) {
		Set<String> duplicates = new LinkedHashSet<>();
		try (JsonParser parser = FACTORY.createParser(ObjectReadContext.empty(), json)) {
			read(parser, duplicates);
		}
		catch (JacksonException ex) {
			// YAML or an incomplete document, which the reader of the body reports.
			return List.of();
		}
		return List.copyOf(duplicates);
	}

	private static void read(JsonParser parser, Set<String> duplicates) {
		Deque<Level> levels = new ArrayDeque<>();
		for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
			Level level = levels.peek();
			switch (token) {
				case PROPERTY_NAME -> {
					if (level != null && !level.enter(parser.currentName())) {
						duplicates.add(level.path());
					}
				}
				case START_OBJECT, START_ARRAY -> {
					boolean list = token == JsonToken.START_ARRAY;
					levels.push(new Level((level != null) ? level.next() : "", list));
				}
				case END_OBJECT, END_ARRAY -> levels.pop();
				default -> {
					if (level != null) {
						level.next();
					}
				}
			}
		}
	}

	/**
	 * Object or list that is being read.
	 */
	private static final class Level {

		private final String prefix;

		private final boolean list;

		private final Set<String> names = new HashSet<>();

		private String name = "";

		private int index;

		Level(String prefix, boolean list) {
			this.prefix = prefix;
			this.list = list;
		}

		boolean enter(String field) {
			this.name = field;
			return this.names.add(field);
		}

		String path() {
			return (this.prefix.isEmpty()) ? this.name : this.prefix + "." + this.name;
		}

		// The path of the value that comes next.
		String next() {
			return (this.list) ? this.prefix + "[" + this.index++ + "]" : path();
		}

	}

}
