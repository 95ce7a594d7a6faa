/**
 * Schemas, defaults and rules of the built-in types, as kube-apiserver has them.
 */
@NullMarked
package dev.kubeinformer.test.internal.builtin;

import org.jspecify.annotations.NullMarked;
