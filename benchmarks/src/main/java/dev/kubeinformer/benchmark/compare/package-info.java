/**
 * Our informer, the official client's and fabric8's side by side: processes, tables,
 * plots.
 */
@NullMarked
package dev.kubeinformer.benchmark.compare;

import org.jspecify.annotations.NullMarked;
