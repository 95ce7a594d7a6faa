package dev.kubeinformer.definition;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * List whose elements are identified by some of their fields, the keys
 * ({@code x-kubernetes-list-type: map}). So server-side apply can merge the elements of
 * several field managers.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ ElementType.FIELD, ElementType.METHOD, ElementType.RECORD_COMPONENT })
public @interface ListMapKeys {

	/**
	 * Returns the fields of an element that identify it in the list.
	 * @return the names of the fields, at least one
	 */
	String[] value();

}
