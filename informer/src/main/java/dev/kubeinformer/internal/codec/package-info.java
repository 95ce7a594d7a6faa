/**
 * Contracts for reading resources in any encoding. The objects of lists and events are
 * read one at a time.
 */
@NullMarked
package dev.kubeinformer.internal.codec;

import org.jspecify.annotations.NullMarked;
