/**
 * Delivery to handlers: a bounded queue, workers and sync of its own for each.
 */
@NullMarked
package dev.kubeinformer.dispatch;

import org.jspecify.annotations.NullMarked;
