/**
 * Responses that a test has scripted, and their execution.
 */
@NullMarked
package dev.kubeinformer.test.internal.scripted;

import org.jspecify.annotations.NullMarked;
