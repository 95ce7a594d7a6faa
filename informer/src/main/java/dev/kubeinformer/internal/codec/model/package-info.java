/**
 * Models by their fields: how they are made, copied and frozen, and their compact
 * collections, which cannot be modified.
 */
@NullMarked
package dev.kubeinformer.internal.codec.model;

import org.jspecify.annotations.NullMarked;
