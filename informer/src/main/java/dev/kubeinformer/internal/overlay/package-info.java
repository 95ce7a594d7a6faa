/** Shows runs of reconcilers their own writes, while the stores do not show them yet. */
@NullMarked
package dev.kubeinformer.internal.overlay;

import org.jspecify.annotations.NullMarked;
