/** Costs of the changes of a real API server, second by second. */
@NullMarked
package dev.kubeinformer.benchmark.events;

import org.jspecify.annotations.NullMarked;
