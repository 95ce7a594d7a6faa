/**
 * Values and parts of objects that were there before, so that equal ones are one
 * instance.
 */
@NullMarked
package dev.kubeinformer.internal.codec.pool;

import org.jspecify.annotations.NullMarked;
