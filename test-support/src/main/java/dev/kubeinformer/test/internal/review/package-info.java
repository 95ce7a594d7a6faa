/**
 * Reviews in which users ask about themselves.
 */
@NullMarked
package dev.kubeinformer.test.internal.review;

import org.jspecify.annotations.NullMarked;
