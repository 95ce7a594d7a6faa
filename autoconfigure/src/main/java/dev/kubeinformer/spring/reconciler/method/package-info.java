/**
 * Reconciler methods: from an annotated bean to what the engine calls.
 */
@NullMarked
package dev.kubeinformer.spring.reconciler.method;

import org.jspecify.annotations.NullMarked;
