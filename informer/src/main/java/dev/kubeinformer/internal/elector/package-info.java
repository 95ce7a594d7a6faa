/**
 * Runs leader elections: their loop, threads and requests.
 */
@NullMarked
package dev.kubeinformer.internal.elector;

import org.jspecify.annotations.NullMarked;
