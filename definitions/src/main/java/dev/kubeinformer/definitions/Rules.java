package dev.kubeinformer.definitions;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

import io.kubernetes.client.openapi.models.V1JSONSchemaProps;
import io.kubernetes.client.openapi.models.V1ValidationRule;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.definition.ValidationRule;

/**
 * Adds CEL rules to schemas. The API server compiles them.
 */
final class Rules {

	private static final Set<String> REASONS = Set.of("FieldValueInvalid", "FieldValueForbidden", "FieldValueRequired",
			"FieldValueDuplicate");

	private Rules() {
	}

	static void add(V1JSONSchemaProps schema, List<ValidationRule> rules, FieldPath path) {
		if (rules.isEmpty()) {
			return;
		}
		List<V1ValidationRule> all = new ArrayList<>();
		if (schema.getxKubernetesValidations() != null) {
			all.addAll(schema.getxKubernetesValidations());
		}
		for (ValidationRule rule : rules) {
			if (rule.value().isBlank()) {
				throw path.invalid("has an empty @ValidationRule", "write a CEL expression such as 'self.size() > 0'");
			}
			if (!rule.reason().isEmpty() && !REASONS.contains(rule.reason())) {
				throw path.invalid("has a @ValidationRule with the unknown reason '%s'".formatted(rule.reason()),
						"use one of " + REASONS.stream().sorted().toList());
			}
			checkText(rule, path);
			all.add(new V1ValidationRule().rule(rule.value().strip())
				.message(text(rule.message()))
				.messageExpression(text(rule.messageExpression()))
				.reason(text(rule.reason()))
				.fieldPath(text(rule.fieldPath())));
		}
		schema.setxKubernetesValidations(all);
	}

	private static void checkText(ValidationRule rule, FieldPath path) {
		String message = rule.message();
		if (!message.isEmpty() && (message.isBlank() || message.lines().count() > 1)) {
			throw path.invalid("has a @ValidationRule with the message '%s'".formatted(message),
					"write one line of text");
		}
		if (message.isEmpty() && rule.value().strip().lines().count() > 1) {
			throw path.invalid("has a @ValidationRule of several lines without a message", "add a message");
		}
		if (!rule.fieldPath().isEmpty() && !rule.fieldPath().startsWith(".") && !rule.fieldPath().startsWith("[")) {
			throw path.invalid("has a @ValidationRule with the fieldPath '%s'".formatted(rule.fieldPath()),
					"let it begin with '.', such as '.replicas'");
		}
	}

	private static @Nullable String text(String value) {
		return value.isEmpty() ? null : value;
	}

}
