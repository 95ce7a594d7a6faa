package dev.kubeinformer.internal.codec.protobuf;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

import org.jspecify.annotations.Nullable;

/**
 * Compares models down to the last field. It is stricter than their {@code equals}, which
 * compares arrays in maps by identity, and quantities without their format.
 */
public final class ModelDifferences {

	private final List<String> found = new ArrayList<>();

	private ModelDifferences() {
	}

	/**
	 * Finds where two models are different.
	 * @param actual one model
	 * @param expected the other one
	 * @return a path and both values for each difference
	 */
	public static List<String> between(@Nullable Object actual, @Nullable Object expected) {
		ModelDifferences differences = new ModelDifferences();
		differences.compare("", actual, expected);
		return differences.found;
	}

	private void compare(String path, @Nullable Object actual, @Nullable Object expected) {
		if (actual instanceof List<?> actualList && expected instanceof List<?> expectedList) {
			compareLists(path, actualList, expectedList);
		}
		else if (actual instanceof Map<?, ?> actualMap && expected instanceof Map<?, ?> expectedMap) {
			Set<Object> keys = new LinkedHashSet<>(expectedMap.keySet());
			keys.addAll(actualMap.keySet());
			boolean ordered = expectedMap.values().stream().allMatch(String.class::isInstance);
			if (ordered && !List.copyOf(actualMap.keySet()).equals(List.copyOf(expectedMap.keySet()))) {
				add(path + " (keys)", actualMap.keySet(), expectedMap.keySet());
			}
			keys.forEach((key) -> compare(path + "." + key, actualMap.get(key), expectedMap.get(key)));
		}
		else if (actual instanceof byte[] actualBytes && expected instanceof byte[] expectedBytes) {
			if (!Arrays.equals(actualBytes, expectedBytes)) {
				add(path, Arrays.toString(actualBytes), Arrays.toString(expectedBytes));
			}
		}
		else if (actual == null || expected == null || actual.getClass() != expected.getClass()) {
			if (actual != expected) {
				add(path, actual, expected);
			}
		}
		else if (actual.getClass().getName().startsWith("io.kubernetes.")) {
			compareFields(path, actual, expected);
		}
		else if (!Objects.equals(actual, expected)) {
			add(path, actual, expected);
		}
	}

	private void compareLists(String path, List<?> actual, List<?> expected) {
		if (actual.size() != expected.size()) {
			add(path, actual, expected);
			return;
		}
		for (int i = 0; i < actual.size(); i++) {
			compare(path + "[" + i + "]", actual.get(i), expected.get(i));
		}
	}

	private void compareFields(String path, Object actual, Object expected) {
		if (actual instanceof Enum) {
			if (actual != expected) {
				add(path, actual, expected);
			}
			return;
		}
		for (Field field : actual.getClass().getDeclaredFields()) {
			if (!Modifier.isStatic(field.getModifiers())) {
				field.setAccessible(true);
				try {
					compare(path + "." + field.getName(), field.get(actual), field.get(expected));
				}
				catch (IllegalAccessException ex) {
					throw new AssertionError(ex);
				}
			}
		}
	}

	private void add(String path, @Nullable Object actual, @Nullable Object expected) {
		this.found.add("%s: %s instead of %s".formatted(path, actual, expected));
	}

}
