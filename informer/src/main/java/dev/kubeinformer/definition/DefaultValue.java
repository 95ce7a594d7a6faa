package dev.kubeinformer.definition;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Default value that the API server sets if a field is absent. If the class initialises
 * the field, the annotation is not needed.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ ElementType.FIELD, ElementType.METHOD, ElementType.RECORD_COMPONENT })
public @interface DefaultValue {

	/**
	 * Returns the value as JSON, such as {@code 1}, {@code "text"} or {@code {"a":
	 * true}}; for a string field, it is the plain text.
	 * @return the value
	 */
	String value();

}
