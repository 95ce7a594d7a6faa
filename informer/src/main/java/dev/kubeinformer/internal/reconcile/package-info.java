/**
 * One run of a reconciler: what it reads, what it writes, and the events that its own
 * writes cause.
 */
@NullMarked
package dev.kubeinformer.internal.reconcile;

import org.jspecify.annotations.NullMarked;
