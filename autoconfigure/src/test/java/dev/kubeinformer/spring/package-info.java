/**
 * Tests of the Spring side as a whole.
 */
@NullMarked
package dev.kubeinformer.spring;

import org.jspecify.annotations.NullMarked;
