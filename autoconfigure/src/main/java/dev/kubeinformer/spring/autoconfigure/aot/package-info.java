/**
 * Ahead-of-time processing: hints for the reflection of informers and handlers.
 */
@NullMarked
package dev.kubeinformer.spring.autoconfigure.aot;

import org.jspecify.annotations.NullMarked;
