/** Running informers, and the pool of all of them. */
@NullMarked
package dev.kubeinformer.internal.informer;

import org.jspecify.annotations.NullMarked;
