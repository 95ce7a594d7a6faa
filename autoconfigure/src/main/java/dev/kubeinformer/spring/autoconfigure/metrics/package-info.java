/**
 * Auto-configuration for the meters and observations of informers and handlers.
 */
@NullMarked
package dev.kubeinformer.spring.autoconfigure.metrics;

import org.jspecify.annotations.NullMarked;
