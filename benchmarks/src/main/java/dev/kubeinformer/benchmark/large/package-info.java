/** Costs of large caches and of many informers. */
@NullMarked
package dev.kubeinformer.benchmark.large;

import org.jspecify.annotations.NullMarked;
