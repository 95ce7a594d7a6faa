package dev.kubeinformer.spring.autoconfigure.properties;

import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.core.env.Environment;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;
import org.springframework.util.StringUtils;

import dev.kubeinformer.spi.FieldSelectorSyntax;
import dev.kubeinformer.spi.LabelSelector;
import dev.kubeinformer.spring.settings.InformerIds;
import dev.kubeinformer.spring.settings.InformerSettings;
import dev.kubeinformer.spring.settings.InformerSpecs;
import dev.kubeinformer.spring.settings.InvalidPropertyValueException;
import dev.kubeinformer.spring.settings.PropertyRanges;
import dev.kubeinformer.spring.settings.Setting;

/**
 * Reads settings from the records to which properties are bound. If several keys are for
 * the same handler, reconciler or resource, their settings are merged. Boot lists keys of
 * sources with higher precedence first.
 *
 * @param environment the environment
 */
record SettingsReader(Environment environment) {

	/**
	 * Reads the settings of an id.
	 * @param map the name of the map with the entries
	 * @param entries the entries by key
	 * @param id the id
	 * @return the settings
	 * @throws InvalidPropertyValueException if a value is not valid
	 */
	InformerSettings merge(String map, Map<String, ? extends Record> entries, String id) {
		InformerSettings settings = InformerSettings.none();
		for (Map.Entry<String, ? extends Record> entry : entries.entrySet()) {
			if (InformerIds.canonical(entry.getKey()).equals(InformerIds.canonical(id))) {
				settings = settings.orElse(read(PropertyRanges.entry(map, entry.getKey()), values(entry.getValue())));
			}
		}
		return settings;
	}

	/**
	 * Reads the settings from the values of one record of properties.
	 * @param prefix the prefix of its properties
	 * @param values its values by path
	 * @return the settings
	 * @throws InvalidPropertyValueException if a value is not valid
	 */
	InformerSettings read(String prefix, Map<String, @Nullable Object> values) {
		InformerSettings written = InformerSettings.of(values);
		if (values.containsKey(Setting.NAMESPACES.name())) {
			checkNamespaces(prefix + ".namespaces", written.get(Setting.NAMESPACES));
		}
		check(prefix + ".label-selector", written.get(Setting.LABEL_SELECTOR), LabelSelector::parse);
		check(prefix + ".field-selector", written.get(Setting.FIELD_SELECTOR), FieldSelectorSyntax::check);
		values.replaceAll((path, value) -> isBlank(value) ? null : value);
		values.computeIfPresent(Setting.RETRY_EXCLUDES.name(),
				(path, names) -> exceptions(prefix + "." + path, (Collection<?>) names));
		return InformerSettings.of(values);
	}

	/**
	 * Returns the values of a record.
	 * @param properties the record
	 * @return the values by path; the map is mutable
	 */
	static Map<String, @Nullable Object> values(Record properties) {
		Map<String, @Nullable Object> values = new HashMap<>();
		for (RecordComponent component : properties.getClass().getRecordComponents()) {
			Object value = ReflectionUtils.invokeMethod(component.getAccessor(), properties);
			if (value instanceof Record group) {
				values(group).forEach((path, each) -> values.put(component.getName() + "." + path, each));
			}
			else {
				values.put(component.getName(), value);
			}
		}
		return values;
	}

	private static List<Class<?>> exceptions(String name, Collection<?> classNames) {
		List<Class<?>> classes = new ArrayList<>();
		for (Object className : classNames) {
			classes.add(exception(name, className.toString().strip()));
		}
		return classes;
	}

	private static Class<?> exception(String name, String className) {
		String rule = "must be the full name of an exception class on the class path, such as 'java.io.IOException'";
		try {
			Class<?> type = ClassUtils.forName(className, null);
			if (Throwable.class.isAssignableFrom(type)) {
				return type;
			}
			throw new InvalidPropertyValueException(name, className, rule + ", and that is another class");
		}
		catch (ClassNotFoundException | LinkageError ex) {
			throw new InvalidPropertyValueException(name, className,
					rule + "; one that is nested in another class has a '$' before its own name");
		}
	}

	private static boolean isBlank(@Nullable Object value) {
		return (value instanceof String text && text.isBlank())
				|| (value instanceof Collection<?> elements && elements.isEmpty());
	}

	private static <V> void check(String name, @Nullable V value, Consumer<V> check) {
		try {
			if (value != null) {
				check.accept(value);
			}
		}
		catch (IllegalArgumentException ex) {
			throw InvalidPropertyValueException.wrong(name, ex);
		}
	}

	private void checkNamespaces(String name, @Nullable List<String> namespaces) {
		if (namespaces == null || namespaces.isEmpty()) {
			String raw = raw(name);
			if (StringUtils.hasText(raw)) {
				throw blank(name, raw);
			}
			return;
		}
		if (namespaces.stream().anyMatch((namespace) -> !StringUtils.hasText(namespace))) {
			throw blank(name, namespaces.toString());
		}
		check(name, namespaces, InformerSpecs::checkNamespaces);
	}

	/**
	 * Returns a value as written, with its placeholders.
	 * @param name the name of the property
	 * @return the value; {@code null} if there is none
	 */
	@Nullable String raw(String name) {
		ConfigurationPropertyName adapted = ConfigurationPropertyName.adapt(name, '.');
		for (ConfigurationPropertySource source : ConfigurationPropertySources.get(this.environment)) {
			ConfigurationProperty property = source.getConfigurationProperty(adapted);
			if (property != null) {
				return property.getValue().toString();
			}
		}
		return null;
	}

	private static InvalidPropertyValueException blank(String name, String value) {
		return new InvalidPropertyValueException(name, value,
				"resolves to an empty or blank namespace; for all of the cluster write '*'");
	}

}
