/**
 * Structural schemas of custom resources: pruning, defaults, validation, and the check of
 * the schemas themselves, as k8s.io/apiextensions-apiserver does it.
 */
@NullMarked
package dev.kubeinformer.test.internal.schema;

import org.jspecify.annotations.NullMarked;
