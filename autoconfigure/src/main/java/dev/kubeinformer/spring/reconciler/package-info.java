/**
 * Reconcilers: beans with {@code @Reconciler} that run in containers of the engine.
 */
@NullMarked
package dev.kubeinformer.spring.reconciler;

import org.jspecify.annotations.NullMarked;
