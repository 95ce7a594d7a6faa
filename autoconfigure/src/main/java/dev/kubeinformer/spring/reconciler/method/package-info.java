/**
 * Reconciler methods: adapts annotated beans to functions of the engine.
 */
@NullMarked
package dev.kubeinformer.spring.reconciler.method;

import org.jspecify.annotations.NullMarked;
