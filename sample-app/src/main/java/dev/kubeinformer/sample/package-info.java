/**
 * A demonstration: two handlers that tell what happens to pods and nodes.
 */
@NullMarked
package dev.kubeinformer.sample;

import org.jspecify.annotations.NullMarked;
