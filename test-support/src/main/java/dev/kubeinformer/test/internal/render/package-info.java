/**
 * Representations of stored objects that clients can request.
 */
@NullMarked
package dev.kubeinformer.test.internal.render;

import org.jspecify.annotations.NullMarked;
