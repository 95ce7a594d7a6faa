/**
 * Custom resource classes of an application.
 */
@NullMarked
package dev.kubeinformer.spring.definition;

import org.jspecify.annotations.NullMarked;
