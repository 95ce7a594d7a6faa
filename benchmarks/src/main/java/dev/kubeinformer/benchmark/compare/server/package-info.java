/** API servers of a comparison, each in a separate JVM. */
@NullMarked
package dev.kubeinformer.benchmark.compare.server;

import org.jspecify.annotations.NullMarked;
