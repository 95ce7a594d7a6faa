package dev.kubeinformer.spring.autoconfigure.properties;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.BinaryOperator;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.core.env.Environment;
import org.springframework.util.ClassUtils;
import org.springframework.util.StringUtils;

import dev.kubeinformer.spi.FieldSelectorSyntax;
import dev.kubeinformer.spi.LabelSelector;
import dev.kubeinformer.spring.settings.InformerIds;
import dev.kubeinformer.spring.settings.InformerSettings;
import dev.kubeinformer.spring.settings.InformerSpecs;
import dev.kubeinformer.spring.settings.InvalidPropertyValueException;
import dev.kubeinformer.spring.settings.Setting;

/**
 * Reader of settings from objects that properties are bound to. Several keys that name
 * the same handler, reconciler or resource are merged; Boot lists those of the higher
 * source first.
 */
final class SettingsReader {

	private final Environment environment;

	SettingsReader(Environment environment) {
		this.environment = environment;
	}

	/**
	 * Reads what is said about an id.
	 * @param entries the entries by their keys
	 * @param id the id
	 * @param name makes the name of a property from the key of its entry and its own
	 * @return the settings
	 * @throws InvalidPropertyValueException if a value makes no sense
	 */
	InformerSettings merge(Map<String, ?> entries, String id, BinaryOperator<String> name) {
		InformerSettings settings = InformerSettings.none();
		for (Map.Entry<String, ?> entry : entries.entrySet()) {
			if (InformerIds.canonical(entry.getKey()).equals(InformerIds.canonical(id))) {
				settings = settings.orElse(read((property) -> name.apply(entry.getKey(), property),
						PropertyPaths.values(entry.getValue())));
			}
		}
		return settings;
	}

	/**
	 * Reads what one object says.
	 * @param name makes the name of a property from its own within the object
	 * @param values the values by their paths
	 * @return the settings
	 * @throws InvalidPropertyValueException if a value makes no sense
	 */
	InformerSettings read(UnaryOperator<String> name, Map<String, @Nullable Object> values) {
		InformerSettings written = InformerSettings.of(values);
		if (values.containsKey(Setting.NAMESPACES.name())) {
			checkNamespaces(name.apply("namespaces"), written.get(Setting.NAMESPACES));
		}
		check(name.apply("label-selector"), written.get(Setting.LABEL_SELECTOR), LabelSelector::parse);
		check(name.apply("field-selector"), written.get(Setting.FIELD_SELECTOR), FieldSelectorSyntax::check);
		values.replaceAll((path, value) -> isBlank(value) ? null : value);
		values.computeIfPresent(Setting.RETRY_EXCLUDES.name(),
				(path, names) -> exceptions(name.apply(path), (Collection<?>) names));
		return InformerSettings.of(values);
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
	 * Returns a value as it is written, before placeholders are resolved.
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
				"leaves nothing or a blank namespace when it is resolved; for all of the cluster write '*'");
	}

}
