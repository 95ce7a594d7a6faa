package dev.kubeinformer.definition;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Repeatable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Column of the tables that {@code kubectl get} prints: an entry of {@code
 * additionalPrinterColumns} in the definition of the custom resource. Put it on a field,
 * whose path and type it uses, or on the class with a JSONPath.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ ElementType.FIELD, ElementType.METHOD, ElementType.RECORD_COMPONENT, ElementType.TYPE })
@Repeatable(PrinterColumns.class)
public @interface PrinterColumn {

	/**
	 * Returns the header of the column, such as {@code Ready}.
	 * @return the header
	 */
	String name();

	/**
	 * Returns the JSONPath of the value, such as {@code .spec.replicas}. It is optional
	 * on a field and required on a class.
	 * @return the JSONPath; empty for the path of the annotated field
	 */
	String jsonPath() default "";

	/**
	 * Returns the OpenAPI type of the value: {@code integer}, {@code number}, {@code
	 * string}, {@code boolean} or {@code date}.
	 * @return the type; empty for the type of the annotated field
	 */
	String type() default "";

	/**
	 * Returns the format of the value, such as {@code int32}.
	 * @return the format; empty for none
	 */
	String format() default "";

	/**
	 * Returns the priority. Columns with a priority above 0 are only shown in wide
	 * tables.
	 * @return the priority
	 */
	int priority() default 0;

	/**
	 * Returns the description of the column.
	 * @return the description; empty for the description of the annotated field
	 */
	String description() default "";

}
