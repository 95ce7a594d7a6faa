/**
 * Page of the demonstration. It reads informers and handlers through their public API.
 */
@NullMarked
package dev.kubeinformer.sample.page;

import org.jspecify.annotations.NullMarked;
