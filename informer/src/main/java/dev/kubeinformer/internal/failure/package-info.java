/**
 * Failures of requests and their classification as problems.
 */
@NullMarked
package dev.kubeinformer.internal.failure;

import org.jspecify.annotations.NullMarked;
