/**
 * Auto-configuration of the health of informers and of its part in readiness.
 */
@NullMarked
package dev.kubeinformer.spring.autoconfigure.health;

import org.jspecify.annotations.NullMarked;
