/**
 * Pools of values and parts of objects, which turn equal ones into one instance.
 */
@NullMarked
package dev.kubeinformer.internal.codec.pool;

import org.jspecify.annotations.NullMarked;
