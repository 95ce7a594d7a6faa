/**
 * An application with a web controller that reads a cache, and tests of its slices.
 */
@NullMarked
package dev.kubeinformer.docs.slice;

import org.jspecify.annotations.NullMarked;
