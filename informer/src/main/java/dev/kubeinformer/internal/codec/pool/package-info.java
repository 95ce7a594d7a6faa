/**
 * Pools that replace equal values of many objects by one instance.
 */
@NullMarked
package dev.kubeinformer.internal.codec.pool;

import org.jspecify.annotations.NullMarked;
