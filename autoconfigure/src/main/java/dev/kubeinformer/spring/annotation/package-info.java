/**
 * What users write: the annotations of handlers and reconcilers, of their methods and of
 * injection points.
 */
@NullMarked
package dev.kubeinformer.spring.annotation;

import org.jspecify.annotations.NullMarked;
