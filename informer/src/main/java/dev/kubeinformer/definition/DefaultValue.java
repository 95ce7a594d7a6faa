package dev.kubeinformer.definition;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Value that the API server sets where a field is absent. Fields that a class initialises
 * have their default without it.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ ElementType.FIELD, ElementType.METHOD, ElementType.RECORD_COMPONENT })
public @interface DefaultValue {

	/**
	 * Returns the value as JSON, such as {@code 1}, {@code "text"} or {@code {"a":
	 * true}}; a string field takes the text as it is.
	 * @return the value
	 */
	String value();

}
