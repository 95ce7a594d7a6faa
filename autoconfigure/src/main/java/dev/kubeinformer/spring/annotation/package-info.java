/**
 * Annotations for handlers, reconcilers, their methods and injection points.
 */
@NullMarked
package dev.kubeinformer.spring.annotation;

import org.jspecify.annotations.NullMarked;
