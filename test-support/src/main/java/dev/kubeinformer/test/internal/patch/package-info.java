/**
 * Patches of all kinds, including server-side apply.
 */
@NullMarked
package dev.kubeinformer.test.internal.patch;

import org.jspecify.annotations.NullMarked;
