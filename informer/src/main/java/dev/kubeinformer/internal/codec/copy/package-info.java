/**
 * Generated code that copies the models of built-in types.
 */
@NullMarked
package dev.kubeinformer.internal.codec.copy;

import org.jspecify.annotations.NullMarked;
