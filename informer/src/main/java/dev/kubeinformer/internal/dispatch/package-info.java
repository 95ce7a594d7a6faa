/**
 * Delivery to handlers: a bounded queue, workers and sync of its own for each.
 */
@NullMarked
package dev.kubeinformer.internal.dispatch;

import org.jspecify.annotations.NullMarked;
