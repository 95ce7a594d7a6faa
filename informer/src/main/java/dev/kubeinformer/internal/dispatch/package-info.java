/**
 * Delivery of events to handlers. Each handler has its own bounded queue, workers and
 * sync.
 */
@NullMarked
package dev.kubeinformer.internal.dispatch;

import org.jspecify.annotations.NullMarked;
