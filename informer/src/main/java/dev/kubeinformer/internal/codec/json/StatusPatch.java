package dev.kubeinformer.internal.codec.json;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

import org.jspecify.annotations.Nullable;

/**
 * Merge patch (RFC 7396) that changes the status of an object from one state to another.
 * It contains only the differences; removed fields are null.
 *
 * @param status the patch of the status; empty if nothing differs
 * @param replacesList {@code true} if the patch replaces a list. Such a patch removes the
 * elements that another writer has added meanwhile
 */
public record StatusPatch(Map<String, @Nullable Object> status, boolean replacesList) {

	/**
	 * Compares two states of an object.
	 * @param before the tree of the first state
	 * @param after the tree of the second state
	 * @return the patch
	 * @throws IllegalArgumentException if more than the status differs; the message names
	 * the field
	 */
	public static StatusPatch between(Map<String, @Nullable Object> before, Map<String, @Nullable Object> after) {
		for (String name : names(before, after)) {
			if (!name.equals("status")) {
				String path = firstDifference(before.get(name), after.get(name), name);
				if (path != null) {
					throw new IllegalArgumentException(
							"'%s' was changed, and only the status can be changed here; change the rest by apply or patch"
								.formatted(path));
				}
			}
		}
		Map<String, @Nullable Object> status = diff(map(before.get("status")), map(after.get("status")));
		return new StatusPatch(status, replacesList(map(before.get("status")), status));
	}

	/**
	 * Returns the body of the patch: the changed fields of {@code status}, in the
	 * structure of the whole object.
	 * @param resourceVersion the version of the compared object; {@code null} if unknown
	 * @return the tree of the patch. If the patch replaces a list, the API server accepts
	 * it only for this version of the object
	 */
	public Map<String, Object> body(@Nullable String resourceVersion) {
		Map<String, Object> body = new LinkedHashMap<>();
		if (this.replacesList && resourceVersion != null) {
			body.put("metadata", Map.of("resourceVersion", resourceVersion));
		}
		body.put("status", this.status);
		return body;
	}

	/**
	 * Returns whether there are no differences.
	 * @return {@code true} if the patch is empty
	 */
	public boolean isEmpty() {
		return this.status.isEmpty();
	}

	private static Map<String, @Nullable Object> diff(Map<?, ?> before, Map<?, ?> after) {
		Map<String, @Nullable Object> patch = new LinkedHashMap<>();
		for (String name : names(before, after)) {
			Object from = before.get(name);
			Object to = after.get(name);
			if (from instanceof Map<?, ?> fromMap && to instanceof Map<?, ?> toMap) {
				Map<String, @Nullable Object> part = diff(fromMap, toMap);
				if (!part.isEmpty()) {
					patch.put(name, part);
				}
			}
			else if (!Objects.equals(from, to)) {
				patch.put(name, to);
			}
		}
		return patch;
	}

	private static boolean replacesList(@Nullable Object before, @Nullable Object patch) {
		if (patch instanceof Map<?, ?> map) {
			return map.entrySet()
				.stream()
				.anyMatch((entry) -> replacesList(map(before).get(entry.getKey()), entry.getValue()));
		}
		return patch instanceof List || (patch == null && before instanceof List);
	}

	private static @Nullable String firstDifference(@Nullable Object before, @Nullable Object after, String path) {
		if (Objects.equals(before, after)) {
			return null;
		}
		if (before instanceof Map<?, ?> from && after instanceof Map<?, ?> to) {
			for (String name : names(from, to)) {
				String difference = firstDifference(from.get(name), to.get(name), path + "." + name);
				if (difference != null) {
					return difference;
				}
			}
		}
		if (before instanceof List<?> from && after instanceof List<?> to && from.size() == to.size()) {
			for (int i = 0; i < from.size(); i++) {
				String difference = firstDifference(from.get(i), to.get(i), "%s[%d]".formatted(path, i));
				if (difference != null) {
					return difference;
				}
			}
		}
		return path;
	}

	private static Set<String> names(Map<?, ?> before, Map<?, ?> after) {
		Set<String> names = new LinkedHashSet<>();
		before.keySet().forEach((name) -> names.add((String) name));
		after.keySet().forEach((name) -> names.add((String) name));
		return names;
	}

	private static Map<?, ?> map(@Nullable Object value) {
		return (value instanceof Map<?, ?> map) ? map : Map.of();
	}

}
