/**
 * Configuration properties, and the checks of what they say.
 */
@NullMarked
package dev.kubeinformer.spring.autoconfigure.properties;

import org.jspecify.annotations.NullMarked;
