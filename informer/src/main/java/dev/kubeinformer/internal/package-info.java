/**
 * The engine. What is in here is public for its own rooms only, and may change without
 * notice.
 */
@NullMarked
package dev.kubeinformer.internal;

import org.jspecify.annotations.NullMarked;
