/**
 * Guard that keeps the informers of tests away from clusters that the test did not name.
 */
@NullMarked
package dev.kubeinformer.spring.autoconfigure.guard;

import org.jspecify.annotations.NullMarked;
