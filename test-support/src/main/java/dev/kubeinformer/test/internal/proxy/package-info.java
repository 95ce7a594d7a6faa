/**
 * Connections and listeners of a TCP proxy.
 */
@NullMarked
package dev.kubeinformer.test.internal.proxy;

import org.jspecify.annotations.NullMarked;
