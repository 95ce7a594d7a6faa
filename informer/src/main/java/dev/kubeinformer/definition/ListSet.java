package dev.kubeinformer.definition;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * List of distinct scalar values, which server-side apply merges ({@code
 * x-kubernetes-list-type: set}). A {@link java.util.Set} does not need the annotation.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ ElementType.FIELD, ElementType.METHOD, ElementType.RECORD_COMPONENT })
public @interface ListSet {

}
