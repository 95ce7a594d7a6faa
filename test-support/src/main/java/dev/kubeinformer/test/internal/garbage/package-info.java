/**
 * Garbage collection by ownerReferences, as in kube-controller-manager.
 */
@NullMarked
package dev.kubeinformer.test.internal.garbage;

import org.jspecify.annotations.NullMarked;
