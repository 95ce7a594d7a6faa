package dev.kubeinformer.spring.autoconfigure.properties;

import java.beans.PropertyDescriptor;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.BeanUtils;
import org.springframework.beans.BeanWrapper;
import org.springframework.beans.PropertyAccessorFactory;

/**
 * Paths of the properties of a class, such as {@code retry.maxDelay}: those of groups are
 * included, the groups themselves are not.
 */
final class PropertyPaths {

	private PropertyPaths() {
	}

	/**
	 * Returns the paths of a class.
	 * @param type the class
	 * @return the paths, in camel case
	 */
	static List<String> of(Class<?> type) {
		List<String> paths = new ArrayList<>();
		collect(type, "", paths);
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

	private static void collect(Class<?> type, String prefix, List<String> paths) {
		for (PropertyDescriptor property : BeanUtils.getPropertyDescriptors(type)) {
			if (property.getName().equals("class")) {
				continue;
			}
			String path = prefix + property.getName();
			if (property.getWriteMethod() != null) {
				paths.add(path);
			}
			else {
				collect(property.getPropertyType(), path + ".", paths);
			}
		}
	}

	/**
	 * Returns the values of an object.
	 * @param properties the object
	 * @return the values by their paths; may be changed
	 */
	static Map<String, @Nullable Object> values(Object properties) {
		Map<String, @Nullable Object> values = new HashMap<>();
		BeanWrapper bean = PropertyAccessorFactory.forBeanPropertyAccess(properties);
		of(properties.getClass()).forEach((path) -> values.put(path, bean.getPropertyValue(path)));
		return values;
	}

}
