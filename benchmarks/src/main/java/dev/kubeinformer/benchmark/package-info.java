/**
 * Measurements behind decisions.
 */
@NullMarked
package dev.kubeinformer.benchmark;

import org.jspecify.annotations.NullMarked;
