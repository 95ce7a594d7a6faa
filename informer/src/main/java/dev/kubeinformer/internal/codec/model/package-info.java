/**
 * Creates, copies, compares and freezes models by their fields. Also contains the compact
 * unmodifiable collections of models.
 */
@NullMarked
package dev.kubeinformer.internal.codec.model;

import org.jspecify.annotations.NullMarked;
