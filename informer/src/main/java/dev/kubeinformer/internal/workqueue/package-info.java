/**
 * Work queue of a reconciler: keys, lanes and workers. It knows no object.
 */
@NullMarked
package dev.kubeinformer.internal.workqueue;

import org.jspecify.annotations.NullMarked;
