/**
 * The watch verb, and the watches that are open.
 */
@NullMarked
package dev.kubeinformer.test.internal.watch;

import org.jspecify.annotations.NullMarked;
