package dev.kubeinformer.spring.settings;

import java.lang.reflect.Array;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.BeansException;
import org.springframework.beans.factory.config.BeanExpressionContext;
import org.springframework.beans.factory.config.BeanExpressionResolver;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.boot.convert.DurationStyle;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.expression.ExpressionException;
import org.springframework.util.StringUtils;

import dev.kubeinformer.spi.FieldSelectorSyntax;
import dev.kubeinformer.spi.LabelSelector;

/**
 * Resolves annotation attributes, which may contain placeholders and expressions. A blank
 * attribute counts as not set and is returned as {@code null}.
 */
public final class AnnotationValues {

	private static final String POSITIVE = "a whole number from 1 on";

	private final ConfigurableBeanFactory beanFactory;

	/**
	 * Creates an instance.
	 * @param beanFactory the bean factory that resolves placeholders and expressions
	 */
	public AnnotationValues(ConfigurableBeanFactory beanFactory) {
		this.beanFactory = beanFactory;
	}

	/**
	 * Reads an annotation.
	 * @param where the annotation and where it is declared, for messages
	 * @param attributes the values of its attributes as written
	 * @param settings the settings that its attributes can set
	 * @return the resolved settings
	 * @throws InformerConfigurationException if a value is not valid
	 */
	public InformerSettings read(String where, Map<String, ?> attributes, Collection<Setting<?>> settings) {
		Map<String, @Nullable Object> said = new HashMap<>();
		for (Setting<?> setting : settings) {
			Object written = attributes.get(setting.attribute());
			if (written != null) {
				said.put(setting.name(), setting.read(this, where, written));
			}
		}
		return InformerSettings.of(said);
	}

	/**
	 * Reads a text.
	 * @param where the annotation and where it is declared, for messages
	 * @param attribute the name of the attribute, for messages
	 * @param value the attribute's value as written
	 * @return the text, or {@code null} if it is blank
	 * @throws InformerConfigurationException if the value cannot be resolved
	 */
	public @Nullable String text(String where, String attribute, String value) {
		Object resolved = StringUtils.hasText(value) ? resolve(where, attribute, value) : null;
		String text = (resolved != null) ? resolved.toString().strip() : "";
		return text.isEmpty() ? null : text;
	}

	/**
	 * Reads an expression and resolves only its placeholders.
	 * @param where the annotation and where it is declared, for messages
	 * @param attribute the name of the attribute, for messages
	 * @param value the attribute's value as written
	 * @return the expression, or {@code null} if it is blank
	 * @throws InformerConfigurationException if a placeholder cannot be resolved
	 */
	public @Nullable String expression(String where, String attribute, String value) {
		String resolved = StringUtils.hasText(value) ? embedded(where, attribute, value) : null;
		return StringUtils.hasText(resolved) ? resolved : null;
	}

	/**
	 * Reads a label selector.
	 * @param where the annotation and where it is declared, for messages
	 * @param value the attribute's value as written
	 * @return the selector, or {@code null} if it is blank
	 * @throws InformerConfigurationException if the value is not a label selector
	 */
	public @Nullable String labelSelector(String where, String value) {
		String selector = text(where, "labelSelector", value);
		if (selector != null) {
			check(where, "labelSelector", () -> LabelSelector.parse(selector));
		}
		return selector;
	}

	/**
	 * Reads a field selector.
	 * @param where the annotation and where it is declared, for messages
	 * @param value the attribute's value as written
	 * @return the selector, or {@code null} if it is blank
	 * @throws InformerConfigurationException if the value is not a field selector
	 */
	public @Nullable String fieldSelector(String where, String value) {
		String selector = text(where, "fieldSelector", value);
		if (selector != null) {
			check(where, "fieldSelector", () -> FieldSelectorSyntax.check(selector));
		}
		return selector;
	}

	/**
	 * Reads namespaces.
	 * @param where the annotation and where it is declared, for messages
	 * @param values the attribute's value as written
	 * @return the namespaces, or {@code null} if the attribute is not set
	 * @throws InformerConfigurationException if a namespace is not a valid name
	 */
	public @Nullable List<String> namespaces(String where, String[] values) {
		List<String> namespaces = list(where, "namespaces", values);
		if (namespaces != null) {
			check(where, "namespaces", () -> InformerSpecs.checkNamespaces(namespaces));
		}
		return namespaces;
	}

	private static void check(String where, String attribute, Runnable check) {
		try {
			check.run();
		}
		catch (IllegalArgumentException ex) {
			throw InformerConfigurationException
				.ofValue("%s has the wrong %s. %s".formatted(where, attribute, ex.getMessage()), ex);
		}
	}

	/**
	 * Reads a list of texts that are separated by commas. An expression may also return a
	 * collection or an array.
	 * @param where the annotation and where it is declared, for messages
	 * @param attribute the name of the attribute, for messages
	 * @param values the attribute's value as written
	 * @return the elements, or {@code null} if the attribute is not set
	 * @throws InformerConfigurationException if an element resolves to an empty text
	 */
	public @Nullable List<String> list(String where, String attribute, String[] values) {
		List<String> elements = new ArrayList<>();
		for (String value : values) {
			int before = elements.size();
			collect(StringUtils.hasText(value) ? resolve(where, attribute, value) : null, elements);
			if (elements.size() == before) {
				throw InformerConfigurationException.ofValue(
						"%s has the %s '%s', which resolves to an empty value; for all %s write '*'".formatted(where,
								attribute, value, attribute.equals("cluster") ? "named clusters" : "of the cluster"));
			}
		}
		return elements.isEmpty() ? null : elements;
	}

	/**
	 * Reads a duration, such as {@code 10m}. A number without a unit is in milliseconds.
	 * Zero is allowed and means never.
	 * @param where the annotation and where it is declared, for messages
	 * @param attribute the name of the attribute, for messages
	 * @param value the attribute's value as written
	 * @return the duration, or {@code null} if it is blank
	 * @throws InformerConfigurationException if the value is not a duration
	 */
	public @Nullable Duration duration(String where, String attribute, String value) {
		String text = text(where, attribute, value);
		try {
			Duration duration = (text != null) ? DurationStyle.detectAndParse(text) : null;
			if (duration == null || duration.isZero() || PropertyRanges.isSensible(duration)) {
				return duration;
			}
			throw invalid(where, attribute, text, "zero or a duration between 1ms and 3650d");
		}
		catch (IllegalArgumentException | ArithmeticException ex) {
			throw invalid(where, attribute, text, "a duration such as '30s' or '10m'");
		}
	}

	/**
	 * Reads a positive integer.
	 * @param where the annotation and where it is declared, for messages
	 * @param attribute the name of the attribute, for messages
	 * @param value the attribute's value as written
	 * @return the number, or {@code null} if it is blank
	 * @throws InformerConfigurationException if the value is not a positive integer
	 */
	public @Nullable Integer number(String where, String attribute, String value) {
		String text = text(where, attribute, value);
		try {
			Integer number = (text != null) ? Integer.valueOf(text) : null;
			if (number == null || number > 0) {
				return number;
			}
			throw invalid(where, attribute, text, POSITIVE);
		}
		catch (NumberFormatException ex) {
			throw invalid(where, attribute, text, POSITIVE);
		}
	}

	/**
	 * Reads a boolean.
	 * @param where the annotation and where it is declared, for messages
	 * @param attribute the name of the attribute, for messages
	 * @param value the attribute's value as written
	 * @return the boolean, or {@code null} if it is blank
	 * @throws InformerConfigurationException if the value is neither {@code true} nor
	 * {@code false}
	 */
	public @Nullable Boolean flag(String where, String attribute, String value) {
		String text = text(where, attribute, value);
		if (text == null) {
			return null;
		}
		if (!text.equalsIgnoreCase("true") && !text.equalsIgnoreCase("false")) {
			throw invalid(where, attribute, text, "'true' or 'false'");
		}
		return Boolean.valueOf(text);
	}

	private static InformerConfigurationException invalid(String where, String attribute, @Nullable String text,
			String needed) {
		return InformerConfigurationException
			.ofValue("%s has the %s '%s'; %s is needed".formatted(where, attribute, text, needed));
	}

	private @Nullable Object resolve(String where, String attribute, String value) {
		String embedded = embedded(where, attribute, value);
		BeanExpressionResolver expressions = this.beanFactory.getBeanExpressionResolver();
		try {
			return (expressions != null)
					? expressions.evaluate(embedded, new BeanExpressionContext(this.beanFactory, null)) : embedded;
		}
		catch (IllegalArgumentException | BeansException ex) {
			throw unresolvable(where, attribute, value, problem(ex), ex);
		}
	}

	private @Nullable String embedded(String where, String attribute, String value) {
		try {
			return this.beanFactory.resolveEmbeddedValue(value);
		}
		catch (IllegalArgumentException ex) {
			throw unresolvable(where, attribute, value, String.valueOf(ex.getMessage()), ex);
		}
	}

	private static String problem(RuntimeException ex) {
		// Omit the messages of other exceptions: a bean in an expression may throw them,
		// and they may quote confidential data.
		return (NestedExceptionUtils.getMostSpecificCause(ex) instanceof ExpressionException expression)
				? expression.getSimpleMessage() : NestedExceptionUtils.getMostSpecificCause(ex).getClass().getName();
	}

	private static InformerConfigurationException unresolvable(String where, String attribute, String value,
			String problem, RuntimeException cause) {
		return InformerConfigurationException.ofValue(
				"%s has the %s '%s', which cannot be resolved: %s".formatted(where, attribute, value, problem), cause);
	}

	private static void collect(@Nullable Object value, List<String> elements) {
		if (value instanceof Collection<?> collection) {
			collection.forEach((element) -> collect(element, elements));
		}
		else if (value != null && value.getClass().isArray()) {
			for (int i = 0; i < Array.getLength(value); i++) {
				collect(Array.get(value, i), elements);
			}
		}
		else if (value != null) {
			for (String element : StringUtils.commaDelimitedListToStringArray(value.toString())) {
				if (StringUtils.hasText(element)) {
					elements.add(element.strip());
				}
			}
		}
	}

}
