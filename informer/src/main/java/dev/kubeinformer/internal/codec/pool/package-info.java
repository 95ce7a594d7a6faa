/**
 * Pools that make equal values of many objects one instance.
 */
@NullMarked
package dev.kubeinformer.internal.codec.pool;

import org.jspecify.annotations.NullMarked;
