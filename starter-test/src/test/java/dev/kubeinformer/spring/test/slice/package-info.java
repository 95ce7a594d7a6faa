/**
 * An application with a web controller that reads a cache, and tests of its slices.
 */
@NullMarked
package dev.kubeinformer.spring.test.slice;

import org.jspecify.annotations.NullMarked;
