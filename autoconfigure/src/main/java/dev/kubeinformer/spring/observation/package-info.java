/**
 * Observations of handlers: a timer, a meter of active calls and a span for each event.
 */
@NullMarked
package dev.kubeinformer.spring.observation;

import org.jspecify.annotations.NullMarked;
