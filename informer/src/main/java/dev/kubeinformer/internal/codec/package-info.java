/**
 * Bytes into the official models, one object at a time.
 */
@NullMarked
package dev.kubeinformer.internal.codec;

import org.jspecify.annotations.NullMarked;
