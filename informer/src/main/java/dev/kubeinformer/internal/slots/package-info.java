/**
 * Values and contracts about slots that caches and reconcilers share.
 */
@NullMarked
package dev.kubeinformer.internal.slots;

import org.jspecify.annotations.NullMarked;
