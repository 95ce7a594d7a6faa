/**
 * Bytes into the official models, one object at a time.
 */
@NullMarked
package dev.kubeinformer.codec;

import org.jspecify.annotations.NullMarked;
