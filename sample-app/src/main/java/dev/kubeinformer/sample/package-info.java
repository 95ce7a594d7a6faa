/**
 * A demonstration: handlers that show what happens to pods and nodes, in the log and on a
 * page.
 */
@NullMarked
package dev.kubeinformer.sample;

import org.jspecify.annotations.NullMarked;
