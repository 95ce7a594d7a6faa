/**
 * Work of a reconciler: the queue of its keys, its workers, and what its runs read and
 * write.
 */
@NullMarked
package dev.kubeinformer.internal.control;

import org.jspecify.annotations.NullMarked;
