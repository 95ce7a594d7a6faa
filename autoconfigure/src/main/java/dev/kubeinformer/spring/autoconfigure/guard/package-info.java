/**
 * Guard that keeps informers of tests from connecting to clusters that the test has not
 * allowed.
 */
@NullMarked
package dev.kubeinformer.spring.autoconfigure.guard;

import org.jspecify.annotations.NullMarked;
