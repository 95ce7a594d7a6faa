package dev.kubeinformer.definitions;

import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.definition.Description;

/**
 * Finds the descriptions of classes and fields. A description is the value of
 * {@link Description}; without this annotation, it is the Javadoc that
 * {@link DescriptionProcessor} has saved.
 */
final class Descriptions {

	private final Map<Class<?>, Properties> byClass = new HashMap<>();

	@Nullable String of(Class<?> type) {
		Description description = type.getAnnotation(Description.class);
		return (description != null) ? description.value() : javadoc(type).getProperty(DescriptionFile.CLASS);
	}

	@Nullable String of(ModelField field) {
		Description description = field.annotation(Description.class);
		return (description != null) ? description.value()
				: javadoc(field.field().getDeclaringClass()).getProperty(field.field().getName());
	}

	private Properties javadoc(Class<?> type) {
		return this.byClass.computeIfAbsent(type, Descriptions::read);
	}

	private static Properties read(Class<?> type) {
		Properties properties = new Properties();
		try (InputStream file = open(type)) {
			if (file != null) {
				properties.load(new InputStreamReader(file, StandardCharsets.UTF_8));
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException("Cannot read the descriptions of '%s'".formatted(type.getName()), ex);
		}
		return properties;
	}

	private static @Nullable InputStream open(Class<?> type) {
		String path = DescriptionFile.path(type.getName());
		ClassLoader loader = type.getClassLoader();
		// Classes of the JDK may have no loader.
		return (loader != null) ? loader.getResourceAsStream(path) : null;
	}

}
