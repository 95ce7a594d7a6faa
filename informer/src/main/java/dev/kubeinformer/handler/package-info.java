/**
 * Event handlers: the events that they receive, the options of a registration and its
 * status.
 */
@NullMarked
package dev.kubeinformer.handler;

import org.jspecify.annotations.NullMarked;
