/**
 * Auto-configuration for the actuator endpoint {@code informers}.
 */
@NullMarked
package dev.kubeinformer.spring.autoconfigure.endpoint;

import org.jspecify.annotations.NullMarked;
