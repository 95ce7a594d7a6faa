/**
 * Objects of manifests, and changes of them, for a training run.
 */
@NullMarked
package dev.kubeinformer.test.internal.training;

import org.jspecify.annotations.NullMarked;
