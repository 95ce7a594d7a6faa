/**
 * Configuration properties and their checks.
 */
@NullMarked
package dev.kubeinformer.spring.autoconfigure.properties;

import org.jspecify.annotations.NullMarked;
