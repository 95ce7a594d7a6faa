/**
 * Structural schemas of custom resources: pruning, defaults, validation, and the check of
 * the schemas themselves, as in k8s.io/apiextensions-apiserver.
 */
@NullMarked
package dev.kubeinformer.test.internal.schema;

import org.jspecify.annotations.NullMarked;
