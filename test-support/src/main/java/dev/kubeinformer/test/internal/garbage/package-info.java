/**
 * Garbage collection by ownerReferences, as kube-controller-manager does it.
 */
@NullMarked
package dev.kubeinformer.test.internal.garbage;

import org.jspecify.annotations.NullMarked;
