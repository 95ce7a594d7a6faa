/**
 * Auto-configuration for the health of informers and their part in readiness.
 */
@NullMarked
package dev.kubeinformer.spring.autoconfigure.health;

import org.jspecify.annotations.NullMarked;
