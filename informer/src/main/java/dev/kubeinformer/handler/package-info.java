/**
 * Handlers in words: the events that are delivered, the options of a registration and
 * what is known of it.
 */
@NullMarked
package dev.kubeinformer.handler;

import org.jspecify.annotations.NullMarked;
