/**
 * Rules of custom resources in the Common Expression Language, by the optional library
 * {@code dev.cel:cel}.
 */
@NullMarked
package dev.kubeinformer.test.internal.cel;

import org.jspecify.annotations.NullMarked;
