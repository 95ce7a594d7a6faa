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
			all.add(new V1ValidationRule().rule(rule.value())
				.message(text(rule.message()))
				.messageExpression(text(rule.messageExpression()))
				.reason(text(rule.reason()))
				.fieldPath(text(rule.fieldPath())));
		}
		schema.setxKubernetesValidations(all);
	}

	private static @Nullable String text(String value) {
		return value.isEmpty() ? null : value;
	}

}
