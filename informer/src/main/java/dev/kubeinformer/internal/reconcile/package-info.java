/**
 * One run of a reconciler: the content that it reads, its writes, and the events that its
 * own writes cause.
 */
@NullMarked
package dev.kubeinformer.internal.reconcile;

import org.jspecify.annotations.NullMarked;
