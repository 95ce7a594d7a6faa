/**
 * Demonstration application: handlers show the events of pods and nodes, in the log and
 * on a page.
 */
@NullMarked
package dev.kubeinformer.sample;

import org.jspecify.annotations.NullMarked;
