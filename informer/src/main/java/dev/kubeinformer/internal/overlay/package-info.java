/** Writes of runs, as overlays on the stores that do not show them yet. */
@NullMarked
package dev.kubeinformer.internal.overlay;

import org.jspecify.annotations.NullMarked;
