/**
 * Ours, the official client's and fabric8's informer side by side: forks, table, plots.
 */
@NullMarked
package dev.kubeinformer.benchmark.compare;

import org.jspecify.annotations.NullMarked;
