/**
 * Observations of handlers and reconcilers: a timer, a meter of active calls and a span
 * for each event and each run.
 */
@NullMarked
package dev.kubeinformer.spring.observation;

import org.jspecify.annotations.NullMarked;
