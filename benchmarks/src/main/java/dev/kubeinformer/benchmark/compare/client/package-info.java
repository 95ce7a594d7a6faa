/** Programs in the JVM of one client: one scenario, one result line. */
@NullMarked
package dev.kubeinformer.benchmark.compare.client;

import org.jspecify.annotations.NullMarked;
