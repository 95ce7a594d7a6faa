/**
 * Tests of the console.
 */
@NullMarked
package dev.kubeinformer.spring.console;

import org.jspecify.annotations.NullMarked;
