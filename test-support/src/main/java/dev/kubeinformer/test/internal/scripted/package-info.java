/**
 * Responses that a test has written down, and how they are played.
 */
@NullMarked
package dev.kubeinformer.test.internal.scripted;

import org.jspecify.annotations.NullMarked;
