/**
 * Reconcilers: turns beans with {@code @Reconciler} into containers of the engine.
 */
@NullMarked
package dev.kubeinformer.spring.reconciler;

import org.jspecify.annotations.NullMarked;
