package dev.kubeinformer.definitions;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import org.jspecify.annotations.Nullable;

/**
 * Compares the conditions of two schemas of one type: limits, enum, pattern and format.
 */
final class LimitComparison {

	private static final String WIDEN = "Accept the values that were accepted before, or add a version and a "
			+ "conversion.";

	private static final List<String> LOWER = List.of("minLength", "minItems", "minProperties");

	private static final List<String> UPPER = List.of("maxLength", "maxItems", "maxProperties");

	private final String definition;

	private final String version;

	private final String path;

	private final Map<String, Object> before;

	private final Map<String, Object> after;

	private final List<DefinitionChange> changes = new ArrayList<>();

	LimitComparison(String definition, String version, String path, Map<String, Object> before,
			Map<String, Object> after) {
		this.definition = definition;
		this.version = version;
		this.path = path.isEmpty() ? "." : path;
		this.before = before;
		this.after = after;
	}

	List<DefinitionChange> changes() {
		LOWER.forEach((name) -> limit(name, 1));
		UPPER.forEach((name) -> limit(name, -1));
		bound("minimum", "exclusiveMinimum", 1);
		bound("maximum", "exclusiveMaximum", -1);
		multiple();
		equality("pattern");
		format();
		flag();
		values();
		return this.changes;
	}

	private void add(boolean breaking, String what) {
		this.changes
			.add(new DefinitionChange(this.definition, this.version, this.path, what, breaking, breaking ? WIDEN : ""));
	}

	private static String became(String name, @Nullable Object was, @Nullable Object is) {
		if (was == null) {
			return "has the new '%s' %s".formatted(name, is);
		}
		return (is != null) ? "had '%s' %s and has %s".formatted(name, was, is) : "lost '%s' %s".formatted(name, was);
	}

	private void limit(String name, int sign) {
		BigDecimal was = number(this.before.get(name));
		BigDecimal is = number(this.after.get(name));
		int change = compare(was, is);
		if (was == null && is != null && sign > 0 && is.signum() <= 0) {
			// Every value has at least no elements.
			return;
		}
		if (change != 0) {
			add(is != null && (was == null || change * sign < 0), became(name, was, is));
		}
	}

	private void bound(String name, String exclusive, int sign) {
		BigDecimal was = number(this.before.get(name));
		BigDecimal is = number(this.after.get(name));
		int change = compare(was, is);
		boolean wasExclusive = DefinitionTrees.isTrue(this.before, exclusive);
		boolean isExclusive = DefinitionTrees.isTrue(this.after, exclusive);
		if (change != 0) {
			add(is != null && (was == null || change * sign < 0), became(name, was, is));
		}
		else if (was != null && wasExclusive != isExclusive) {
			add(isExclusive, isExclusive ? "has the new '%s'".formatted(exclusive) : "lost '%s'".formatted(exclusive));
		}
	}

	private static int compare(@Nullable BigDecimal was, @Nullable BigDecimal is) {
		if (was == null || is == null) {
			return (was == is) ? 0 : 1;
		}
		return was.compareTo(is);
	}

	private void multiple() {
		BigDecimal was = number(this.before.get("multipleOf"));
		BigDecimal is = number(this.after.get("multipleOf"));
		if (compare(was, is) != 0) {
			boolean wider = is == null
					|| (was != null && is.signum() != 0 && was.remainder(is).compareTo(BigDecimal.ZERO) == 0);
			add(!wider, became("multipleOf", was, is));
		}
	}

	private void equality(String name) {
		Object was = this.before.get(name);
		Object is = this.after.get(name);
		if (!Objects.equals(was, is)) {
			add(is != null, became(name, quoted(was), quoted(is)));
		}
	}

	private void format() {
		Object was = this.before.get("format");
		Object is = this.after.get("format");
		if (!Objects.equals(was, is)) {
			boolean wider = is == null || is.equals("double") || is.equals("password")
					|| ("int32".equals(was) && is.equals("int64")) || (was == null && is.equals("int64"));
			add(!wider, became("format", quoted(was), quoted(is)));
		}
	}

	private static @Nullable String quoted(@Nullable Object value) {
		return (value != null) ? "'%s'".formatted(value) : null;
	}

	private void flag() {
		boolean was = DefinitionTrees.isTrue(this.before, "uniqueItems");
		boolean is = DefinitionTrees.isTrue(this.after, "uniqueItems");
		if (was != is) {
			add(is, is ? "has the new 'uniqueItems'" : "lost 'uniqueItems'");
		}
	}

	private void values() {
		Object was = this.before.get("enum");
		Object is = this.after.get("enum");
		if (was == null && is == null) {
			return;
		}
		if (was == null || is == null) {
			add(is != null, (is != null) ? "accepts only %s".formatted(is) : "accepts any value");
			return;
		}
		List<?> old = DefinitionTrees.list(was);
		List<?> current = DefinitionTrees.list(is);
		Set<Object> lost = without(old, current);
		Set<Object> gained = without(current, old);
		if (!lost.isEmpty()) {
			add(true, "no longer accepts " + listed(lost));
		}
		if (!gained.isEmpty()) {
			add(false, "accepts " + listed(gained) + ", too");
		}
	}

	private static Set<Object> without(List<?> values, List<?> others) {
		return values.stream()
			.filter((value) -> others.stream().noneMatch((other) -> same(value, other)))
			.collect(Collectors.toCollection(LinkedHashSet::new));
	}

	private static String listed(Set<Object> values) {
		return values.stream().map("'%s'"::formatted).collect(Collectors.joining(", "));
	}

	private static @Nullable BigDecimal number(@Nullable Object value) {
		return (value instanceof Number number) ? new BigDecimal(number.toString()) : null;
	}

	/**
	 * Returns whether two values are equal in JSON, where 1 equals 1.0.
	 * @param one the one value
	 * @param other the other value
	 * @return {@code true} if they are equal
	 */
	static boolean same(@Nullable Object one, @Nullable Object other) {
		if (one instanceof Number && other instanceof Number) {
			return Objects.requireNonNull(number(one)).compareTo(Objects.requireNonNull(number(other))) == 0;
		}
		if (one instanceof List<?> list && other instanceof List<?> others) {
			return list.size() == others.size()
					&& IntStream.range(0, list.size()).allMatch((i) -> same(list.get(i), others.get(i)));
		}
		if (one instanceof Map<?, ?> map && other instanceof Map<?, ?> others) {
			return map.keySet().equals(others.keySet())
					&& map.entrySet().stream().allMatch((entry) -> same(entry.getValue(), others.get(entry.getKey())));
		}
		return Objects.equals(one, other);
	}

}
