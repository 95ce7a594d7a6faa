package dev.kubeinformer.definition;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Repeatable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Rule that the API server checks in each write: an entry of {@code
 * x-kubernetes-validations} (KEP-2876). Put it on a field, or on a class for all of its
 * objects. A rule that reads {@code oldSelf} is only checked in updates.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ ElementType.FIELD, ElementType.METHOD, ElementType.RECORD_COMPONENT, ElementType.TYPE })
@Repeatable(ValidationRules.class)
public @interface ValidationRule {

	/**
	 * Returns the rule in the Common Expression Language, with {@code self} as the
	 * annotated value and {@code oldSelf} as the value before an update.
	 * @return the rule
	 */
	String value();

	/**
	 * Returns the message for a rejected value.
	 * @return the message; empty for a default that names the rule
	 */
	String message() default "";

	/**
	 * Returns a CEL expression that computes the message for a rejected value.
	 * @return the expression; empty for none
	 */
	String messageExpression() default "";

	/**
	 * Returns the reason for the rejection: {@code FieldValueInvalid}, {@code
	 * FieldValueForbidden}, {@code FieldValueRequired} or {@code FieldValueDuplicate}.
	 * @return the reason; empty for {@code FieldValueInvalid}
	 */
	String reason() default "";

	/**
	 * Returns the path of the field that the error names, relative to the annotated
	 * value.
	 * @return the path; empty for the annotated value
	 */
	String fieldPath() default "";

}
