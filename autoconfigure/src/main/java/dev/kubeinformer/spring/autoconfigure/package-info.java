/**
 * Auto-configuration for informers and handlers.
 */
@NullMarked
package dev.kubeinformer.spring.autoconfigure;

import org.jspecify.annotations.NullMarked;
