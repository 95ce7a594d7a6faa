package dev.kubeinformer.definition;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Description of a field or class, which {@code kubectl explain} prints. It takes
 * precedence over the Javadoc.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ ElementType.FIELD, ElementType.METHOD, ElementType.RECORD_COMPONENT, ElementType.TYPE })
public @interface Description {

	/**
	 * Returns the text.
	 * @return the text
	 */
	String value();

}
