package dev.kubeinformer.benchmark.compare;

import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Line in which a program reports its figures: {@code RESULT} and a JSON object of
 * numbers by {@linkplain Measure#key() key}. For a program with another line, a pattern
 * reads it, whose named groups are keys; {@code wallSeconds} is {@code wall} in seconds,
 * and so on.
 */
public final class ResultLine {

	private static final String MARK = "RESULT ";

	private static final String SECONDS = "Seconds";

	private static final Pattern GROUP = Pattern.compile("\\(\\?<([a-zA-Z][a-zA-Z0-9]*)>");

	private static final JsonMapper JSON = JsonMapper.shared();

	private ResultLine() {
	}

	/**
	 * Returns the line of some figures.
	 * @param values the figures
	 * @return the line
	 */
	public static String of(Map<Measure, Double> values) {
		Map<String, Double> keys = new LinkedHashMap<>();
		values.forEach((measure, value) -> keys.put(measure.key(), value));
		return MARK + JSON.writeValueAsString(keys);
	}

	/**
	 * Reads the figures of the last result line of an output.
	 * @param output the lines
	 * @param pattern the pattern for a line other than a result line
	 * @return the figures; empty if no line has any
	 * @throws IllegalArgumentException if a result line cannot be read
	 */
	static Optional<Map<Measure, Double>> find(List<String> output, @Nullable Pattern pattern) {
		Optional<Map<Measure, Double>> found = Optional.empty();
		for (String line : output) {
			if (line.startsWith(MARK)) {
				found = Optional.of(json(line.substring(MARK.length())));
			}
			else if (pattern != null) {
				Matcher matcher = pattern.matcher(line);
				found = matcher.find() ? Optional.of(groups(matcher)) : found;
			}
		}
		return found;
	}

	private static Map<Measure, Double> json(String text) {
		try {
			Map<Measure, Double> values = new EnumMap<>(Measure.class);
			JsonNode line = JSON.readTree(text);
			line.properties().forEach((entry) -> values.put(Measure.of(entry.getKey()), number(entry, text)));
			return values;
		}
		catch (JacksonException ex) {
			throw new IllegalArgumentException("The result line \"%s\" is not JSON".formatted(text), ex);
		}
	}

	private static double number(Map.Entry<String, JsonNode> entry, String text) {
		if (!entry.getValue().isNumber()) {
			throw new IllegalArgumentException(
					"\"%s\" of the result line \"%s\" is not a number".formatted(entry.getKey(), text));
		}
		return entry.getValue().doubleValue();
	}

	private static Map<Measure, Double> groups(Matcher matcher) {
		Map<Measure, Double> values = new EnumMap<>(Measure.class);
		GROUP.matcher(matcher.pattern().pattern()).results().map((result) -> result.group(1)).forEach((group) -> {
			String text = matcher.group(group);
			if (text != null) {
				values.put(measure(group), Double.parseDouble(text) * (group.endsWith(SECONDS) ? 1000 : 1));
			}
		});
		return values;
	}

	/**
	 * Returns the measure of a group's name.
	 * @param group the name
	 * @return the measure
	 * @throws IllegalArgumentException if there is none
	 */
	static Measure measure(String group) {
		if (group.endsWith(SECONDS)) {
			Measure measure = Measure.of(group.substring(0, group.length() - SECONDS.length()));
			if (measure.isMilliseconds()) {
				return measure;
			}
		}
		return Measure.of(group);
	}

	/**
	 * Checks the groups of a pattern before a long run would fail.
	 * @param pattern the pattern
	 * @throws IllegalArgumentException if a group is not the key of a measure
	 */
	static void check(Pattern pattern) {
		GROUP.matcher(pattern.pattern()).results().forEach((result) -> measure(result.group(1)));
	}

}
