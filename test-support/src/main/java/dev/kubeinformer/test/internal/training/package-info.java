/**
 * What a training run sees: objects of manifests, and changes of them.
 */
@NullMarked
package dev.kubeinformer.test.internal.training;

import org.jspecify.annotations.NullMarked;
