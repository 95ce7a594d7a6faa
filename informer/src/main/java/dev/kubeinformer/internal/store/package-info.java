/**
 * Cache: one immutable snapshot behind a volatile reference.
 */
@NullMarked
package dev.kubeinformer.internal.store;

import org.jspecify.annotations.NullMarked;
