package dev.kubeinformer.benchmark.compare;

import java.util.List;
import java.util.Map;
import java.util.Optional;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Final state that a client reports, in a line of {@code STATE} and a JSON object.
 *
 * @param cached the state of the cache
 * @param handled the state that the handler knows: the added and not deleted objects, in
 * the last version that it received
 */
public record ReportedState(ObjectsState cached, ObjectsState handled) {

	private static final String MARK = "STATE ";

	private static final int HEXADECIMAL = 16;

	private static final JsonMapper JSON = JsonMapper.shared();

	/**
	 * Returns the line of a report.
	 * @return the line
	 */
	public String line() {
		return MARK + JSON.writeValueAsString(Map.of("cached", fields(this.cached), "handled", fields(this.handled)));
	}

	private static Map<String, Object> fields(ObjectsState state) {
		return Map.of("objects", state.objects(), "digest", state.hex());
	}

	/**
	 * Reads the report from the last such line of an output.
	 * @param output the lines
	 * @return the report; empty if there is none
	 * @throws IllegalArgumentException if the line cannot be read
	 */
	static Optional<ReportedState> find(List<String> output) {
		return output.stream()
			.filter((line) -> line.startsWith(MARK))
			.reduce((one, next) -> next)
			.map((line) -> read(line.substring(MARK.length())));
	}

	private static ReportedState read(String text) {
		try {
			JsonNode line = JSON.readTree(text);
			return new ReportedState(state(line.path("cached"), text), state(line.path("handled"), text));
		}
		catch (JacksonException | NumberFormatException ex) {
			throw unreadable(text, ex);
		}
	}

	private static ObjectsState state(JsonNode state, String text) {
		if (!state.path("objects").isIntegralNumber() || !state.path("digest").isString()) {
			throw unreadable(text, null);
		}
		return new ObjectsState(state.get("objects").longValue(),
				Long.parseUnsignedLong(state.get("digest").stringValue(), HEXADECIMAL));
	}

	private static IllegalArgumentException unreadable(String text, @Nullable Exception cause) {
		return new IllegalArgumentException(
				"The state \"%s\" is not of numbers 'objects' and hexadecimal texts 'digest', cached and handled"
					.formatted(text),
				cause);
	}

	/**
	 * Returns the problem with the report.
	 * @param expected the state of the server
	 * @return the problem; empty if the states are equal
	 */
	Optional<String> problem(ObjectsState expected) {
		if (!this.cached.equals(expected)) {
			return Optional.of("the server has %s, the cache %s".formatted(expected, this.cached));
		}
		if (!this.handled.equals(expected)) {
			return Optional.of("the server has %s, the handler was given %s".formatted(expected, this.handled));
		}
		return Optional.empty();
	}

}
