/**
 * What large caches, and many informers, cost.
 */
@NullMarked
package dev.kubeinformer.benchmark.large;

import org.jspecify.annotations.NullMarked;
