/**
 * The page of the demonstration. It reads informers and handlers by their public API.
 */
@NullMarked
package dev.kubeinformer.sample.page;

import org.jspecify.annotations.NullMarked;
