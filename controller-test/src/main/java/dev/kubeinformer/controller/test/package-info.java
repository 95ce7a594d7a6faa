/**
 * Runs for unit tests of reconcilers.
 */
@NullMarked
package dev.kubeinformer.controller.test;

import org.jspecify.annotations.NullMarked;
