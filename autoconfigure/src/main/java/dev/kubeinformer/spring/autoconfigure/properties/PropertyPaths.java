package dev.kubeinformer.spring.autoconfigure.properties;

import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * Paths of the properties of a record, such as {@code retry.maxDelay}: those of groups
 * are included, the groups themselves are not.
 */
final class PropertyPaths {

	private PropertyPaths() {
	}

	/**
	 * Returns the paths of a record.
	 * @param type the class of the record
	 * @return the paths in alphabetical order, in camel case
	 */
	static List<String> of(Class<?> type) {
		List<String> paths = new ArrayList<>();
		Stream.of(type.getRecordComponents())
			.sorted(Comparator.comparing(RecordComponent::getName))
			.forEach((component) -> {
				if (component.getType().isRecord()) {
					of(component.getType()).forEach((path) -> paths.add(component.getName() + "." + path));
				}
				else {
					paths.add(component.getName());
				}
			});
		return paths;
	}

	/**
	 * Returns the name of an entry of a map. A key with dots needs brackets.
	 * @param map the name of the map
	 * @param key the key
	 * @return the name
	 */
	static String entry(String map, String key) {
		return (key.contains(".") ? "%s[%s]" : "%s.%s").formatted(map, key);
	}

}
