/**
 * Shared informers for the JVM. {@link dev.kubeinformer.Informers} is the entry point.
 */
@NullMarked
package dev.kubeinformer;

import org.jspecify.annotations.NullMarked;
