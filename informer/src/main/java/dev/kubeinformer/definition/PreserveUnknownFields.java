package dev.kubeinformer.definition;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Object whose unknown fields the API server keeps ({@code
 * x-kubernetes-preserve-unknown-fields}). A {@code Map<String, Object>} does not need the
 * annotation.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ ElementType.FIELD, ElementType.METHOD, ElementType.RECORD_COMPONENT, ElementType.TYPE })
public @interface PreserveUnknownFields {

}
