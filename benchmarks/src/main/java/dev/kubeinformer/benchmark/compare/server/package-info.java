/**
 * The API servers of a comparison, each in a JVM of its own.
 */
@NullMarked
package dev.kubeinformer.benchmark.compare.server;

import org.jspecify.annotations.NullMarked;
