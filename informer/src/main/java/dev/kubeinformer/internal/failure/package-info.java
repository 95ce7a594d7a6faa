/**
 * Failures of requests: what a server or a network did, and which problem it is.
 */
@NullMarked
package dev.kubeinformer.internal.failure;

import org.jspecify.annotations.NullMarked;
