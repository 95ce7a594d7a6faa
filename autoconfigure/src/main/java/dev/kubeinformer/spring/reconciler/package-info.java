/**
 * Reconcilers: beans with {@code @Reconciler} become containers of the engine.
 */
@NullMarked
package dev.kubeinformer.spring.reconciler;

import org.jspecify.annotations.NullMarked;
