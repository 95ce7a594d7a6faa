package dev.kubeinformer.spring.test;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

import org.jspecify.annotations.Nullable;

/**
 * Compares the objects of a file with the objects that an application needs. Comments,
 * layout and the order of keys do not matter.
 */
final class ManifestDifference {

	private final List<String> lines = new ArrayList<>();

	private ManifestDifference() {
	}

	/**
	 * Compares two lists of objects.
	 * @param actual the objects of the file
	 * @param needed the objects that are needed
	 * @return a line for each difference; empty if there is none
	 */
	static List<String> of(List<Map<String, Object>> actual, List<Map<String, Object>> needed) {
		ManifestDifference difference = new ManifestDifference();
		Map<String, Map<String, Object>> there = bySubject(actual);
		Map<String, Map<String, Object>> wanted = bySubject(needed);
		Set<String> subjects = new LinkedHashSet<>(wanted.keySet());
		subjects.addAll(there.keySet());
		for (String subject : subjects) {
			Map<String, Object> left = there.get(subject);
			Map<String, Object> right = wanted.get(subject);
			if (left == null) {
				difference.lines.add(subject + " is missing");
			}
			else if (right == null) {
				difference.lines.add(subject + " is not needed");
			}
			else {
				difference.compare(subject, "", left, right);
			}
		}
		return List.copyOf(difference.lines);
	}

	private static Map<String, Map<String, Object>> bySubject(List<Map<String, Object>> documents) {
		Map<String, Map<String, Object>> found = new LinkedHashMap<>();
		documents.forEach((document) -> found.put(ManifestYaml.subject(document), document));
		return found;
	}

	private void compare(String subject, String path, @Nullable Object actual, @Nullable Object needed) {
		if (actual instanceof Map<?, ?> left && needed instanceof Map<?, ?> right) {
			Set<String> keys = new TreeSet<>();
			left.keySet().forEach((key) -> keys.add(String.valueOf(key)));
			right.keySet().forEach((key) -> keys.add(String.valueOf(key)));
			keys.forEach(
					(key) -> compare(subject, path.isEmpty() ? key : path + "." + key, left.get(key), right.get(key)));
		}
		else if (actual instanceof List<?> left && needed instanceof List<?> right && left.size() == right.size()) {
			for (int index = 0; index < left.size(); index++) {
				compare(subject, "%s[%d]".formatted(path, index), left.get(index), right.get(index));
			}
		}
		else if (!same(actual, needed)) {
			this.lines.add("%s: %s is %s, needed is %s".formatted(subject, path, shown(actual), shown(needed)));
		}
	}

	private static boolean same(@Nullable Object actual, @Nullable Object needed) {
		if (actual instanceof Number left && needed instanceof Number right) {
			return Double.compare(left.doubleValue(), right.doubleValue()) == 0;
		}
		return (actual != null) ? actual.equals(needed) : needed == null;
	}

	private static String shown(@Nullable Object value) {
		return (value != null) ? String.valueOf(value) : "absent";
	}

}
