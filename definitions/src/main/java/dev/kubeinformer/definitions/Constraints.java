package dev.kubeinformer.definitions;

import java.lang.annotation.Annotation;
import java.lang.reflect.InvocationTargetException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.PatternSyntaxException;

import io.kubernetes.client.openapi.models.V1JSONSchemaProps;
import org.jspecify.annotations.Nullable;

/**
 * Translates the constraints of Jakarta Validation. They are read by their names, because
 * the library is optional. Constraints of a group other than {@code Default} are ignored.
 */
final class Constraints {

	private static final String PACKAGE = "jakarta.validation.constraints";

	private static final Set<String> MODIFIERS = Set.of("CASE_INSENSITIVE", "DOTALL", "MULTILINE");

	private final V1JSONSchemaProps schema;

	private final FieldPath path;

	private Constraints(V1JSONSchemaProps schema, FieldPath path) {
		this.schema = schema;
		this.path = path;
	}

	/**
	 * Adds constraints to a schema.
	 * @param schema the schema, which is changed
	 * @param annotations the annotations of the value
	 * @param path the place of the value
	 */
	static void apply(V1JSONSchemaProps schema, List<Annotation> annotations, FieldPath path) {
		Constraints constraints = new Constraints(schema, path);
		annotations.forEach((annotation) -> constraints.apply(annotation, 0));
	}

	private void apply(Annotation annotation, int depth) {
		Class<? extends Annotation> type = annotation.annotationType();
		if (type.getPackageName().equals(PACKAGE)) {
			if (type.getEnclosingClass() != null) {
				for (Annotation each : (Annotation[]) value(annotation, "value")) {
					apply(each, depth);
				}
			}
			else if (isDefaultGroup(annotation)) {
				applyKnown(annotation);
			}
		}
		else if (depth < 5 && isConstraint(type) && isDefaultGroup(annotation)) {
			// A composed constraint has the constraints that its annotation type has.
			for (Annotation each : type.getAnnotations()) {
				apply(each, depth + 1);
			}
		}
	}

	private static boolean isConstraint(Class<? extends Annotation> type) {
		for (Annotation each : type.getAnnotations()) {
			if (each.annotationType().getName().equals("jakarta.validation.Constraint")) {
				return true;
			}
		}
		return false;
	}

	private static boolean isDefaultGroup(Annotation constraint) {
		Class<?>[] groups = (Class<?>[]) value(constraint, "groups");
		if (groups.length == 0) {
			return true;
		}
		for (Class<?> group : groups) {
			if (group.getName().equals("jakarta.validation.groups.Default")) {
				return true;
			}
		}
		return false;
	}

	private void applyKnown(Annotation constraint) {
		switch (constraint.annotationType().getSimpleName()) {
			case "Size" -> size(constraint, ((Integer) value(constraint, "min")).longValue(),
					((Integer) value(constraint, "max")).longValue());
			case "NotEmpty" -> size(constraint, 1, Integer.MAX_VALUE);
			case "NotBlank" -> {
				size(constraint, 1, Integer.MAX_VALUE);
				if (this.schema.getEnum() == null) {
					addPattern("\\S");
				}
			}
			case "Pattern" -> pattern(constraint);
			case "Email" -> {
				requireType(constraint, "string");
				this.schema.setFormat("email");
				if (!value(constraint, "regexp").equals(".*")) {
					pattern(constraint);
				}
			}
			case "Min" -> minimum(constraint, new BigDecimal((Long) value(constraint, "value")), true);
			case "Max" -> maximum(constraint, new BigDecimal((Long) value(constraint, "value")), true);
			case "DecimalMin" -> minimum(constraint, decimal(constraint), (Boolean) value(constraint, "inclusive"));
			case "DecimalMax" -> maximum(constraint, decimal(constraint), (Boolean) value(constraint, "inclusive"));
			case "Positive" -> minimum(constraint, BigDecimal.ZERO, false);
			case "PositiveOrZero" -> minimum(constraint, BigDecimal.ZERO, true);
			case "Negative" -> maximum(constraint, BigDecimal.ZERO, false);
			case "NegativeOrZero" -> maximum(constraint, BigDecimal.ZERO, true);
			case "AssertTrue" -> assertion(constraint, true);
			case "AssertFalse" -> assertion(constraint, false);
			default -> {
				// NotNull makes the field required. A schema cannot express the others.
			}
		}
	}

	private void size(Annotation constraint, long min, long max) {
		if (isAnything() || "byte".equals(this.schema.getFormat())) {
			return;
		}
		Long least = (min > 0) ? min : null;
		Long most = (max < Integer.MAX_VALUE) ? max : null;
		if (least != null && most != null && least > most) {
			throw this.path.invalid("has %s with min %d and max %d".formatted(name(constraint), min, max),
					"let min not be greater than max");
		}
		switch (requireType(constraint, "string", "array", "object")) {
			case "string" -> {
				if (this.schema.getEnum() == null) {
					this.schema.minLength(greater(this.schema.getMinLength(), least))
						.maxLength(smaller(this.schema.getMaxLength(), most));
				}
			}
			case "array" -> this.schema.minItems(greater(this.schema.getMinItems(), least))
				.maxItems(smaller(this.schema.getMaxItems(), most));
			default -> this.schema.minProperties(greater(this.schema.getMinProperties(), least))
				.maxProperties(smaller(this.schema.getMaxProperties(), most));
		}
	}

	private static @Nullable Long greater(@Nullable Long known, @Nullable Long value) {
		return (known == null || (value != null && value > known)) ? value : known;
	}

	private static @Nullable Long smaller(@Nullable Long known, @Nullable Long value) {
		return (known == null || (value != null && value < known)) ? value : known;
	}

	private BigDecimal decimal(Annotation constraint) {
		String text = (String) value(constraint, "value");
		try {
			return new BigDecimal(text);
		}
		catch (NumberFormatException ex) {
			throw this.path.invalid("has %s with '%s', which is not a number".formatted(name(constraint), text),
					"write a number such as '0.5'", ex);
		}
	}

	private void minimum(Annotation constraint, BigDecimal value, boolean inclusive) {
		Double bound = bound(constraint, value, inclusive ? BigDecimal.ZERO : BigDecimal.ONE);
		if (bound == null) {
			return;
		}
		Double known = this.schema.getMinimum();
		if (known == null || bound > known || (bound.equals(known) && !inclusive)) {
			this.schema.minimum(bound).exclusiveMinimum((inclusive || isInteger(value)) ? null : true);
		}
	}

	private void maximum(Annotation constraint, BigDecimal value, boolean inclusive) {
		Double bound = bound(constraint, value, inclusive ? BigDecimal.ZERO : BigDecimal.ONE.negate());
		if (bound == null) {
			return;
		}
		Double known = this.schema.getMaximum();
		if (known == null || bound < known || (bound.equals(known) && !inclusive)) {
			this.schema.maximum(bound).exclusiveMaximum((inclusive || isInteger(value)) ? null : true);
		}
	}

	private @Nullable Double bound(Annotation constraint, BigDecimal value, BigDecimal step) {
		if (isAnything()) {
			return null;
		}
		requireType(constraint, "integer", "number");
		return (isInteger(value) ? value.add(step) : value).doubleValue();
	}

	// Integers do not need exclusive bounds, which the API server reports clumsily.
	private boolean isInteger(BigDecimal bound) {
		return "integer".equals(this.schema.getType()) && bound.stripTrailingZeros().scale() <= 0;
	}

	private void assertion(Annotation constraint, boolean value) {
		requireType(constraint, "boolean");
		this.schema.setEnum(List.of(value));
	}

	private void pattern(Annotation constraint) {
		requireType(constraint, "string");
		String regexp = (String) value(constraint, "regexp");
		String unsupported;
		try {
			unsupported = GoPatterns.unsupported(regexp);
		}
		catch (PatternSyntaxException ex) {
			throw this.path.invalid(
					"has %s with '%s', which is not a regular expression".formatted(name(constraint), regexp),
					"correct it: " + ex.getDescription(), ex);
		}
		if (unsupported != null) {
			throw this.path.invalid(
					"has %s with '%s', and the API server (RE2) does not support '%s'".formatted(name(constraint),
							regexp, unsupported),
					"write it without look-around, back references, possessive quantifiers and Java's names, or use "
							+ "@ValidationRule");
		}
		addPattern(flags(constraint) + anchored(regexp));
	}

	private String flags(Annotation constraint) {
		StringBuilder flags = new StringBuilder();
		for (Object flag : (Object[]) value(constraint, "flags")) {
			String name = ((Enum<?>) flag).name();
			if (!MODIFIERS.contains(name)) {
				throw this.path.invalid("has %s with the flag %s".formatted(name(constraint), name),
						"use " + MODIFIERS.stream().sorted().toList() + " only");
			}
			flags.append(name.equals("CASE_INSENSITIVE") ? 'i' : name.equals("DOTALL") ? 's' : 'm');
		}
		return flags.isEmpty() ? "" : "(?" + flags + ")";
	}

	// Jakarta Validation matches the whole text, the API server searches in it.
	private static String anchored(String regexp) {
		return (regexp.startsWith("^") && regexp.endsWith("$") && !regexp.endsWith("\\$") && !regexp.contains("|"))
				? regexp : "^(?:" + regexp + ")$";
	}

	private void addPattern(String pattern) {
		String known = this.schema.getPattern();
		if (known == null) {
			this.schema.setPattern(pattern);
		}
		else if (!known.equals(pattern)) {
			List<V1JSONSchemaProps> all = new ArrayList<>();
			if (this.schema.getAllOf() != null) {
				all.addAll(this.schema.getAllOf());
			}
			all.add(ScalarSchemas.blank().pattern(pattern));
			this.schema.setAllOf(all);
		}
	}

	private boolean isAnything() {
		return this.schema.getType() == null && Boolean.TRUE.equals(this.schema.getxKubernetesPreserveUnknownFields());
	}

	private String requireType(Annotation constraint, String... types) {
		String type = this.schema.getType();
		if (type == null || !List.of(types).contains(type)) {
			throw this.path.invalid(
					"has %s, which does not apply to %s".formatted(name(constraint),
							(type != null) ? "the type '%s'".formatted(type) : "values of several types"),
					"remove it, or use @ValidationRule");
		}
		return type;
	}

	private static String name(Annotation constraint) {
		return "@" + constraint.annotationType().getSimpleName();
	}

	private static Object value(Annotation annotation, String attribute) {
		try {
			var method = annotation.annotationType().getDeclaredMethod(attribute);
			method.setAccessible(true);
			return method.invoke(annotation);
		}
		catch (NoSuchMethodException ex) {
			return new Class<?>[0];
		}
		catch (IllegalAccessException | InvocationTargetException ex) {
			throw new IllegalStateException("'%s' cannot be read".formatted(annotation), ex);
		}
	}

}
