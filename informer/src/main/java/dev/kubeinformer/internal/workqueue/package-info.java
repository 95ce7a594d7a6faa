/**
 * Work queue of a reconciler: keys, lanes and workers. The queue does not know the
 * objects.
 */
@NullMarked
package dev.kubeinformer.internal.workqueue;

import org.jspecify.annotations.NullMarked;
