/**
 * What changes of a real API server cost, second by second.
 */
@NullMarked
package dev.kubeinformer.benchmark.events;

import org.jspecify.annotations.NullMarked;
