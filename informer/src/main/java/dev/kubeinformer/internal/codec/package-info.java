/**
 * Contracts of all encodings of resources: objects, lists and events, which are read one
 * object at a time.
 */
@NullMarked
package dev.kubeinformer.internal.codec;

import org.jspecify.annotations.NullMarked;
