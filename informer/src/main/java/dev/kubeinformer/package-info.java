/**
 * Shared informers for the JVM: the front door of the engine. Start with
 * {@link dev.kubeinformer.Informers}.
 */
@NullMarked
package dev.kubeinformer;

import org.jspecify.annotations.NullMarked;
