/**
 * Models by their fields: how they are created, copied and frozen, and their compact
 * unmodifiable collections.
 */
@NullMarked
package dev.kubeinformer.internal.codec.model;

import org.jspecify.annotations.NullMarked;
