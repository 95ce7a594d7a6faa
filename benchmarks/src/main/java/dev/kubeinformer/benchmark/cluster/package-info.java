/**
 * What one cluster of an application costs the others.
 */
@NullMarked
package dev.kubeinformer.benchmark.cluster;

import org.jspecify.annotations.NullMarked;
