/**
 * What runs have written, laid over the stores that do not show it yet.
 */
@NullMarked
package dev.kubeinformer.internal.overlay;

import org.jspecify.annotations.NullMarked;
