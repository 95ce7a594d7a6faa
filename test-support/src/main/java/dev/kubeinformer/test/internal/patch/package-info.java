/**
 * Patches of all kinds, server-side apply among them.
 */
@NullMarked
package dev.kubeinformer.test.internal.patch;

import org.jspecify.annotations.NullMarked;
